"""Autograding for the course "a Transformer by hand": laws, judge, worker and reports."""

__version__ = "0.1.0"
