"""The exit statuses of the commands."""

DONE = 0
"""The job was done, whatever the marks."""
FAULTY = 1
"""A check found faults, which are listed."""
UNUSABLE = 2
"""The call or its input was unusable; one sentence on standard error says how."""
INTERRUPTED = 130
"""Ctrl-C; what was finished is kept."""
