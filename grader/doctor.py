"""The command `grader doctor`: what this machine offers for grading, proved by grading one submission."""

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import torch

from grader.course import EXERCISES
from grader.exit_status import DONE, FAULTY, Unusable
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, reference_sources, with_laws
from grader.judge.limits import Limits
from grader.judge.workers import Zygote
from grader.reports.text import one_line, tidy
from grader.results import StudentResult
from grader.submissions.find import Submission

GIGABYTE = 10**9
_TRIED = EXERCISES["ex1"]
_LEAST_DISK = GIGABYTE // 10
_MEMORY_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True)
class Finding:
    """One line of what was found; a fault is what grading cannot do without."""

    about: str
    told: str
    is_fault: bool = False


def doctor_command(options: argparse.Namespace) -> int:
    """Print what was found as it is found; the exit status is 1 if anything is a fault."""
    faults = 0
    for finding in _findings(options.out):
        print(f"{'FAULT' if finding.is_fault else 'ok':<6} {finding.about:<10} {one_line(finding.told)}", flush=True)
        faults += finding.is_fault
    return FAULTY if faults else DONE


def _findings(out: Path) -> Iterator[Finding]:
    yield Finding("Python", f"{platform.python_version()} ({sys.executable})", sys.version_info < (3, 11))
    build = f"built for CUDA {torch.version.cuda}" if torch.version.cuda else "built for the CPU only"
    yield Finding("torch", f"{torch.__version__}, {build}")
    usable = len(os.sched_getaffinity(0))
    yield Finding("cores", f"{usable} of {os.cpu_count()} may be used, so {usable} submissions at a time")
    yield _memory(usable)
    yield from (_disk("reports", out), _disk("temporary", Path(tempfile.gettempdir())))
    yield Finding("GPU", torch.cuda.get_device_name() if torch.cuda.is_available() else "none, and none is needed")
    yield from _isolation_and_grading()


def _memory(jobs: int) -> Finding:
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    for path in _MEMORY_LIMITS:
        with suppress(OSError, ValueError):  # "max" is no number, and no limit
            available = min(available, int(Path(path).read_text(encoding="ascii")))
    most = Limits().memory_bytes
    told = f"{_gigabytes(available)} available; a submission may use {_gigabytes(most)}"
    if available < most * jobs:
        told += f", {jobs} at a time may use more than there is: --jobs {max(1, available // most)} is safe"
    return Finding("memory", told, is_fault=available < GIGABYTE)


def _disk(about: str, folder: Path) -> Finding:
    existing = next(path for path in (folder.resolve(), *folder.resolve().parents) if path.is_dir())
    free = shutil.disk_usage(existing).free
    writable = os.access(existing, os.W_OK)
    told = f"{_gigabytes(free)} free in {existing}" if writable else f"{existing} cannot be written to"
    return Finding(about, told, is_fault=not writable or free < _LEAST_DISK)


def _isolation_and_grading() -> Iterator[Finding]:
    torch.set_num_threads(1)  # before any fork
    try:
        with Zygote() as zygote:
            yield Finding("isolation", zygote.level)
            for level, reason in zygote.reasons.items():
                yield Finding("isolation", f"{level} is not to be had: {reason}")
            yield _graded(zygote)
    except Unusable as error:
        yield Finding("grading", str(error), is_fault=True)


def _graded(zygote: Zygote) -> Finding:
    """The model solution of one exercise, graded as a submission is."""
    results: list[StudentResult] = []

    def grade(catalogue: Catalogue) -> None:
        submission = Submission("doctor", reference_sources([_TRIED.id]))
        results.extend(Batch(catalogue, zygote, Settings([_TRIED])).grade([submission]))

    started = time.monotonic()
    with_laws([_TRIED], 0, grade)
    (result,) = results
    told = f"the solution of {_TRIED.id} has {tidy(result.score)} of {tidy(result.max_score)} points"
    wrong = [f"{law.name}: {law.message.partition(chr(10))[0]}" for law in result.laws if law.status != "passed"]
    return Finding("grading", "; ".join([f"{told}, after {time.monotonic() - started:.1f} s", *wrong]), bool(wrong))


def _gigabytes(count: int) -> str:
    return f"{count / GIGABYTE:.1f} GB"
