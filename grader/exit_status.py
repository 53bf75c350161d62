"""The exit statuses of the commands, and the one place where a command that cannot go on is turned into one."""

import argparse
import sys

DONE = 0
"""The job was done, whatever the marks."""
FAULTY = 1
"""A check found faults, which are listed."""
UNUSABLE = 2
"""The call or its input was unusable; one sentence on standard error says how."""
INTERRUPTED = 130
"""Ctrl-C; what was finished is kept."""


class Unusable(Exception):
    """The call, its input or the machine cannot be used for it; the text is a sentence for the person who called."""


def run_command(options: argparse.Namespace) -> int:
    """Call `options.run`, the chosen command, with the options; the exit status."""
    try:
        status: int = options.run(options)
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except Unusable as error:
        sentence = str(error)
    except OSError as error:
        where = error.filename or getattr(options, "out", None)
        sentence = f"{where}: {error.strerror or error}" if where else str(error)
    print(f"grader: {sentence}", file=sys.stderr)
    return UNUSABLE
