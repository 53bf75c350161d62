"""Naming a misconception: which known wrong answer fails exactly as this submission does."""
