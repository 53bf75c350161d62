"""Namespaces of its own for every worker: files, processes, network, users as if nothing else existed.

The way there takes two forks, since a process that unshares its process ids stays outside itself:

    zygote ── fork ── A: unshare ── fork ── B: process 1 of the new namespace, becomes the worker
       │              │ ◄─ ids mapped ─┘       │
       └── waits for A's end ──── "go" ──────► builds its view
"""

import contextlib
import itertools
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from grader.worker.isolation import linux
from grader.worker.isolation.view import View

WORK_DIRECTORY = "/sandbox"
INNER_ID = 1000  # who the worker is inside its user namespace

_NAMESPACES = (
    linux.CLONE_NEWUSER
    | linux.CLONE_NEWNS
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWNET
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWUTS
)
# The range that systemd keeps for services with passing users: no account has one of these.
_PASSING_IDS = itertools.cycle(range(61184, 65520))


def fork() -> tuple[int, socket.socket]:
    """Like `os.fork`: (pid, link) in the zygote, (0, link) in the worker, already in its namespaces.

    Raises OSError in the zygote where the kernel refuses. Once A has ended, the worker is the zygote's own
    child, provided the zygote is a subreaper; it waits for that, so it can ask to die together with it.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    first = os.fork()
    if first == 0:
        ours.close()
        if not _enter_namespaces(theirs):
            os._exit(1)
        second = os.fork()
        if second == 0:
            if theirs.recv(16) != b"go":
                os._exit(1)
            return 0, theirs
        theirs.send(f"{second}".encode())
        os._exit(0)
    theirs.close()
    try:
        return _guide(first, ours), ours
    except BaseException:
        ours.close()
        raise
    finally:
        os.waitpid(first, 0)
        with contextlib.suppress(OSError):
            ours.send(b"go")


def _guide(first: int, link: socket.socket) -> int:
    """The zygote's part: map the ids of A, take the pid of B."""
    answer = link.recv(1024)
    if answer != b"unshared":
        raise OSError(answer.decode() or "the process that unshares ended early")
    _map_ids(first)
    link.send(b"mapped")
    pid = link.recv(16)
    if not pid:
        raise OSError("the process that forks into the namespaces ended early")
    return int(pid)


def _enter_namespaces(link: socket.socket) -> bool:
    try:
        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # or the zygote may not write its id maps
        if os.geteuid() == 0:
            os.setgroups([])
        linux.unshare(_NAMESPACES)
    except OSError as error:
        link.send(str(error).encode()[:1000])
        return False
    link.send(b"unshared")
    return link.recv(16) == b"mapped"


def _map_ids(pid: int) -> None:
    """Let the worker be `INNER_ID`; a user of its own outside too, where the zygote is root and may do so."""
    maps = [f"{INNER_ID} {{own}} 1\n"]
    if os.geteuid() == 0:
        maps.insert(0, f"0 {{own}} 1\n{INNER_ID} {next(_PASSING_IDS)} 1\n")
    (Path("/proc") / str(pid) / "setgroups").write_text("deny", encoding="ascii")
    for kind, own in (("uid_map", os.geteuid()), ("gid_map", os.getegid())):
        _write_first_accepted(Path("/proc") / str(pid) / kind, [text.format(own=own) for text in maps])


def _write_first_accepted(file: Path, texts: list[str]) -> None:
    for text in texts[:-1]:
        with contextlib.suppress(OSError):
            file.write_text(text, encoding="ascii")
            return
    file.write_text(texts[-1], encoding="ascii")


def enter_view(view: View, work_bytes: int) -> None:
    """Make `view` all there is of the file system, with one small writable folder as current directory."""
    # /proc is there for sure and none of the view's paths lies in it, so the new root can be put on top.
    root = "/proc"
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,nr_inodes=2k,mode=755")
    for path, hidden in _parents_first(view):
        if hidden:
            linux.mount("tmpfs", root + path, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=64k,mode=755")
        else:
            _show(path, root)
    devices = {path: _made_place(path, root) for path in view.devices}
    for name in ("/proc", "/tmp", WORK_DIRECTORY):
        Path(root + name).mkdir(exist_ok=True)
    linux.make_read_only(root)
    for path, place in devices.items():  # only now: on a mount like the others they could not be opened
        linux.mount(path, str(place), None, linux.MS_BIND | linux.MS_REC)
        linux.make_read_only(str(place), devices=True)
    _mount_proc(root + "/proc")
    linux.mount(
        "tmpfs",
        root + WORK_DIRECTORY,
        "tmpfs",
        linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC,
        f"size={work_bytes},nr_inodes=4k,mode=700,uid={INNER_ID},gid={INNER_ID}",
    )
    os.chdir(root)
    linux.pivot_root(".", ".")
    linux.unmount(".", linux.MNT_DETACH)
    os.chdir(WORK_DIRECTORY)


def become_inner_user() -> None:
    """Stop being the user that built the view (root of the namespace, where the zygote is root)."""
    os.setresgid(INNER_ID, INNER_ID, INNER_ID)
    os.setresuid(INNER_ID, INNER_ID, INNER_ID)


def _parents_first(view: View) -> Iterator[tuple[str, bool]]:
    """Every path to mount but devices, with whether to hide it; hidden folders that nothing shows are left out."""
    shown = {*view.directories, *view.files}
    for path in sorted(shown | set(view.hidden), key=len):
        if path in shown:
            yield path, False
        elif any(str(parent) in view.directories for parent in Path(path).parents):
            yield path, True


def _show(path: str, root: str) -> None:
    """Bind a file or folder of the host to the same place below `root`."""
    target = Path(root + path)
    if Path(path).is_symlink() and Path(path).is_dir():  # /lib -> usr/lib
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(Path(path).readlink())
    else:
        linux.mount(path, str(_made_place(path, root)), None, linux.MS_BIND | linux.MS_REC)


def _made_place(path: str, root: str) -> Path:
    """Something below `root` to mount the host's file, folder or device on."""
    target = Path(root + path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if Path(path).is_dir():
        target.mkdir(exist_ok=True)
    else:
        target.touch()
    return target


def _mount_proc(target: str) -> None:
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    try:
        linux.mount("proc", target, "proc", flags)
    except OSError:
        # Refused inside a container that masks parts of its own /proc. Without it, nothing is missing but
        # what it would tell.
        linux.mount("tmpfs", target, "tmpfs", flags | linux.MS_RDONLY, "size=4k")
