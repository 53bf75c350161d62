"""Linux system calls that Python 3.11 does not offer, over ctypes. Numbers serve x86-64 and aarch64."""

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Iterable

CLONE_NEWNS = 0x0002_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000
CLONE_THREAD = 0x0001_0000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_BIND = 1 << 12
MS_REC = 1 << 14
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
PR_SET_VMA = 0x5356_4D41

# Numbers of calls newer than 2019 are the same on every architecture.
_NR_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_NR_CLOSE_RANGE = 436
_NR_MOUNT_SETATTR = 442
_NR_LANDLOCK_CREATE_RULESET = 444
_NR_LANDLOCK_ADD_RULE = 445
_NR_LANDLOCK_RESTRICT_SELF = 446

_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NODEV = 1, 2, 4
_LANDLOCK_CREATE_RULESET_VERSION = 1
_LANDLOCK_RULE_PATH_BENEATH = 1
_LINUX_CAPABILITY_VERSION_3 = 0x2008_0522
_LAST_POSSIBLE_CAPABILITY = 63
_LAST_DESCRIPTOR = (1 << 31) - 1

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _syscall(what: str, number: int, *arguments: int | bytes | None) -> int:
    """A raw system call; integers are widened so that none is passed as a 32-bit value."""
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), what)


def prctl(option: int, value: int = 0) -> None:
    """`prctl(option, value, 0, 0, 0)`."""
    words = [ctypes.c_ulong(word) for word in (value, 0, 0, 0)]
    _checked(_libc.prctl(option, *words), f"prctl {option}")


def die_with(parent: int) -> None:
    """Be killed as soon as the process `parent` ends, however it does; end at once if it has."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount a file system, or with `MS_BIND`, `MS_PRIVATE` change what is mounted."""
    result = _libc.mount(
        None if source is None else os.fsencode(source),
        os.fsencode(target),
        None if kind is None else os.fsencode(kind),
        ctypes.c_ulong(flags),
        os.fsencode(options) if options else None,
    )
    _checked(result, f"mount {source or kind or ''} on {target}")


def unmount(target: str, flags: int) -> None:
    """Take a mount away."""
    _checked(_libc.umount2(os.fsencode(target), flags), f"umount {target}")


def make_read_only(target: str, *, devices: bool = False) -> None:
    """Make a mount and all mounts below it read-only, without set-uid and, unless asked for, devices (Linux 5.12)."""
    kinds = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | (0 if devices else _MOUNT_ATTR_NODEV)
    attributes = struct.pack("=QQQQ", kinds, 0, 0, 0)
    _syscall(
        f"mount_setattr {target}",
        _NR_MOUNT_SETATTR,
        _AT_FDCWD,
        os.fsencode(target),
        _AT_RECURSIVE,
        attributes,
        len(attributes),
    )


def pivot_root(new_root: str, old_root: str) -> None:
    """Make `new_root` the root of this mount namespace."""
    number = _NR_PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(f"pivot_root: no system call number known for {platform.machine()}")
    _syscall("pivot_root", number, os.fsencode(new_root), os.fsencode(old_root))


def close_all_except(keep: Iterable[int]) -> None:
    """Close every descriptor that is not in `keep`."""
    first = 0
    for descriptor in [*sorted(set(keep)), _LAST_DESCRIPTOR + 1]:
        if descriptor > first:
            _syscall("close_range", _NR_CLOSE_RANGE, first, descriptor - 1, 0)
        first = descriptor + 1


def exit_on_abort() -> None:
    """Let `abort` end this process with the number of its signal as exit status.

    The first process of a namespace is immune to signals that it sends itself, so `abort` would get to the invalid
    instruction that stands behind them in the C library, and look like something else.
    """
    _libc.signal(signal.SIGABRT, _libc._exit)


def drop_capability_bound() -> None:
    """Empty the bounding and ambient sets where this process may, so that no capability can come back."""
    for capability in range(_LAST_POSSIBLE_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # not privileged, or past the last capability this kernel knows
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def drop_capabilities() -> None:
    """Give up every capability this process holds."""
    header = struct.pack("=Ii", _LINUX_CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def landlock_abi() -> int:
    """The Landlock version of the running kernel, 0 without Landlock."""
    try:
        return _syscall(
            "landlock_create_ruleset",
            _NR_LANDLOCK_CREATE_RULESET,
            None,
            0,
            _LANDLOCK_CREATE_RULESET_VERSION,
        )
    except OSError:
        return 0


def landlock_create_ruleset(file_rights: int, network_rights: int, scopes: int) -> int:
    """A ruleset that denies all the rights named; returns its descriptor."""
    attributes = struct.pack("=QQQ", file_rights, network_rights, scopes)
    return _syscall("landlock_create_ruleset", _NR_LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)


def landlock_add_path(ruleset: int, path: str, file_rights: int) -> None:
    """Allow `file_rights` on `path` and everything beneath it."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", file_rights, descriptor)
        _syscall(
            f"landlock_add_rule {path}",
            _NR_LANDLOCK_ADD_RULE,
            ruleset,
            _LANDLOCK_RULE_PATH_BENEATH,
            rule,
            0,
        )
    finally:
        os.close(descriptor)


def landlock_restrict_self(ruleset: int) -> None:
    """Put this process under `ruleset`, for good."""
    _syscall("landlock_restrict_self", _NR_LANDLOCK_RESTRICT_SELF, ruleset, 0)
