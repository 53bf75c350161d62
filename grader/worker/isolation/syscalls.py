"""The system calls that student code may make: an allow list by name, compiled by libseccomp.

Threads are allowed; new processes, programs, sockets and whatever acts on another process are not.
What is not listed fails with EPERM, which Python reports as a PermissionError.
"""

import errno
import os

from grader.worker.isolation import linux

# Reading, writing and finding files. What may be opened is decided by the other layers. Calls that change the
# owner, mode or times of a file are left out: Landlock does not cover them.
_FILES = """
    read write pread64 pwrite64 readv writev lseek open openat close close_range creat dup dup2 dup3 fcntl
    stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat
    getdents getdents64 getcwd chdir fchdir umask fsync fdatasync truncate ftruncate fallocate fadvise64
    rename renameat renameat2 mkdir mkdirat rmdir unlink unlinkat poll ppoll select pselect6
"""
_MEMORY = "mmap mprotect munmap mremap madvise brk membarrier"
# The worker's socket is already connected.
_CONNECTED_SOCKETS = "sendto recvfrom sendmsg recvmsg getsockopt getsockname getpeername"
_THREADS = """
    futex set_robust_list set_tid_address rseq sched_yield sched_getaffinity gettid exit exit_group
    restart_syscall
"""
_SIGNALS = "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack setitimer getitimer alarm"
_CLOCKS = "nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times"
_ABOUT_ITSELF = """
    getpid getppid getpgrp getuid geteuid getgid getegid uname sysinfo getrusage getrlimit getrandom
"""
_ALLOWED = " ".join((_FILES, _MEMORY, _CONNECTED_SOCKETS, _THREADS, _SIGNALS, _CLOCKS, _ABOUT_ITSELF)).split()

# CUDA's library talks to its driver by ioctl and prepares events, pipes and pinned memory.
_ALLOWED_FOR_CUDA = """
    ioctl eventfd2 pipe2 memfd_create mlock mlock2 munlock sched_setaffinity sched_getscheduler
    get_mempolicy set_mempolicy mbind
"""

_UNKNOWN = -1
_TERMINAL_REQUESTS = (0x5401, 0x5421, 0x5450, 0x5451)  # TCGETS, FIONBIO, FIONCLEX, FIOCLEX


def missing() -> str | None:
    """Why no filter can be built here, or None."""
    try:
        import pyseccomp  # noqa: F401
    except ImportError:
        return "the Python package pyseccomp is not installed"
    except RuntimeError:
        return "the library libseccomp is not installed (Debian, Ubuntu: libseccomp2)"
    return None


def restrict(*, cuda: bool = False) -> None:
    """Put the filter on this process, for good. Needs `no_new_privs`, which it sets."""
    # Imported late: the package raises where libseccomp is missing, and then this module must still load.
    import pyseccomp
    from pyseccomp import ALLOW, EQ, ERRNO, MASKED_EQ, Arg

    own_pid = os.getpid()
    rules = pyseccomp.SyscallFilter(ERRNO(errno.EPERM))

    def allow(name: str, *conditions: Arg) -> None:
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        if number != _UNKNOWN:  # a call that this libseccomp has no name for stays forbidden
            rules.add_rule(ALLOW, number, *conditions)

    for name in " ".join((*_ALLOWED, _ALLOWED_FOR_CUDA if cuda else "")).split():
        allow(name)
    allow("clone", Arg(0, MASKED_EQ, linux.CLONE_THREAD, linux.CLONE_THREAD))
    # clone3 hides its flags from the filter; told that it does not exist, the C library uses clone.
    rules.add_rule(ERRNO(errno.ENOSYS), "clone3")
    for pid in (0, own_pid):
        allow("prlimit64", Arg(0, EQ, pid))
    for name in ("kill", "tgkill"):
        allow(name, Arg(0, EQ, own_pid))
    for option in (linux.PR_SET_NAME, linux.PR_SET_VMA):
        allow("prctl", Arg(0, EQ, option))
    for request in () if cuda else _TERMINAL_REQUESTS:
        allow("ioctl", Arg(1, EQ, request))
    rules.load()
