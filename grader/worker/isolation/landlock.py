"""Landlock: a process gives up its own rights over files, the network and other processes.

Used where user namespaces are refused. Nothing is writable and only the view can be read, but paths outside
it still answer to `stat`: keep secrets out of names, and make them unreadable by mode as well.
"""

from pathlib import Path

from grader.worker.isolation import linux
from grader.worker.isolation.view import View

NEEDED_ABI = 6  # the first that also scopes signals and abstract sockets (Linux 6.12)

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _IOCTL_DEV = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 15
_ALL_FILE_RIGHTS = (1 << 16) - 1  # all that ABI 5 and later know
_ALL_NETWORK_RIGHTS = 0b11  # bind and connect TCP
_ALL_SCOPES = 0b11  # abstract sockets and signals


def create_ruleset(view: View) -> int:
    """The rules for `view`; returns the descriptor that `linux.landlock_restrict_self` wants."""
    ruleset = linux.landlock_create_ruleset(_ALL_FILE_RIGHTS, _ALL_NETWORK_RIGHTS, _ALL_SCOPES)
    for directory in view.directories:
        _allow_reading(ruleset, Path(directory).resolve(), {Path(path) for path in view.hidden})
    for file in view.files:
        linux.landlock_add_path(ruleset, file, _READ_FILE)
    for device in view.devices:
        rights = _READ_FILE | _WRITE_FILE | (_IOCTL_DEV if view.cuda else 0)
        linux.landlock_add_path(ruleset, device, rights)
    return ruleset


def _allow_reading(ruleset: int, path: Path, hidden: set[Path]) -> None:
    """Allow a folder as a whole, or piece by piece where it contains a hidden one: rules only ever add."""
    if path in hidden:
        return
    if not path.is_dir():
        linux.landlock_add_path(ruleset, str(path), _EXECUTE | _READ_FILE)
    elif any(path in folder.parents for folder in hidden):
        linux.landlock_add_path(ruleset, str(path), _READ_DIR)
        for entry in path.iterdir():
            if entry.exists():
                _allow_reading(ruleset, entry.resolve(), hidden)
    else:
        linux.landlock_add_path(ruleset, str(path), _EXECUTE | _READ_FILE | _READ_DIR)
