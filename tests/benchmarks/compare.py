"""What grading costs, against a fresh pytest per submission and against the bare floor. Run by hand:

    python tests/benchmarks/compare.py [--copies N]

CPU seconds, one thread, one submission at a time, on ex2: a batch of right answers and a mixed one, half of them
wrong. `fresh` is a new `pytest` process per submission, as a course without a grader would do. `judge` is what
`grader grade` does: isolated workers, a judge process per submission. `floor` is one process that imports everything
once and calls the laws with no isolation and no pytest between them: nothing can be cheaper. Costs that are paid
once per run, however large the class, are shown apart.
"""

import argparse
import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import torch

from grader.course import EXERCISES, ROOT, SOLUTIONS
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, with_laws
from grader.judge.warm import warm_up
from grader.judge.workers import Zygote
from grader.laws.local import LocalImplementation, use_folder
from grader.submissions.find import Submission

EX2 = EXERCISES["ex2"]
SAMPLE = ROOT / "tests" / "sample_class" / "submissions"
RIGHT = ("ada", "dario", "farah", "ilya")
WRONG_CLASSMATES = ("bashir", "chiyo", "lena")
FAULTS = {
    "no scale": (" / math.sqrt(q.size(-1))", ""),
    "strict triangle": (".tril()", ".tril(-1)"),
    "query axis": ("[:, None, None, :]", "[:, None, :, None]"),
    "half overflows": ("lowest = torch.finfo(wide).min", "lowest = -1e30"),
    "detached": ("return weights @ v, weights", "return weights.detach() @ v, weights"),
    "not zeroed": (".softmax(dim=-1).masked_fill(~mask, 0.0)", ".softmax(dim=-1)"),
    "scale of values": ("math.sqrt(q.size(-1))", "math.sqrt(v.size(-1))"),
}


@dataclass
class Cost:
    """CPU seconds paid once, and per submission."""

    once: float
    each: float


def right_answers(count: int) -> list[str]:
    texts = [(SAMPLE / name / EX2.filename).read_text(encoding="utf-8") for name in RIGHT]
    texts.append((SOLUTIONS / EX2.filename).read_text(encoding="utf-8"))
    return [texts[i % len(texts)] for i in range(count)]


def wrong_answers(count: int) -> list[str]:
    texts = [(SAMPLE / name / EX2.filename).read_text(encoding="utf-8") for name in WRONG_CLASSMATES]
    solution = (SOLUTIONS / EX2.filename).read_text(encoding="utf-8")
    for name, (old, new) in FAULTS.items():
        if old not in solution:
            raise SystemExit(f"the fault {name!r} no longer fits the solution")
        texts.append(solution.replace(old, new))
    return [texts[i % len(texts)] for i in range(count)]


@contextmanager
def folder_with(text: str) -> Iterator[Path]:
    """The solutions with another ex2 in their midst."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "exercises"
        shutil.copytree(SOLUTIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / EX2.filename).write_text(text, encoding="utf-8")
        yield folder


def cpu_seconds() -> float:
    """Of this process and all its children that have ended."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def fresh(texts: Sequence[str]) -> Cost:
    started = cpu_seconds()
    for text in texts:
        with folder_with(text) as folder:
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EX2.laws)]
            command += ["--implementation", str(folder)]
            subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    return Cost(0.0, (cpu_seconds() - started) / len(texts))


def judge(catalogue: Catalogue, texts: Sequence[str]) -> Cost:
    """Grade none first: what that costs is paid once (the zygote's torch; the judge's own was paid at import)."""

    def grade(batch: Sequence[str]) -> float:
        started = cpu_seconds()
        with Zygote() as zygote:
            submissions = [Submission(str(i), {"ex2": text}) for i, text in enumerate(batch)]
            list(Batch(catalogue, zygote, Settings([EX2])).grade(submissions))
        return cpu_seconds() - started

    once = grade([])
    return Cost(once, (grade(texts) - once) / len(texts))


def floor(catalogue: Catalogue, texts: Sequence[str]) -> Cost:
    started = time.process_time()
    for text in texts:
        with folder_with(text) as folder:
            use_folder(folder)
            implementation = LocalImplementation(EX2, folder)
            for item in catalogue.items.values():
                with contextlib.suppress(Exception):
                    item.obj(implementation)  # type: ignore[attr-defined]
    return Cost(0.0, (time.process_time() - started) / len(texts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=10, help="submissions per batch (default 10)")
    copies = parser.parse_args().copies
    torch.set_num_threads(1)

    def measure(catalogue: Catalogue) -> None:
        warm_up()
        half = copies // 2
        batches = {"right": right_answers(copies), "mixed": right_answers(copies - half) + wrong_answers(half)}
        print(f"{'batch':<8}{'way':<8}{'once':>8}{'each':>9}   against the judge")
        for name, texts in batches.items():
            judged = judge(catalogue, texts)
            rows = {"fresh": fresh(texts), "judge": judged, "floor": floor(catalogue, texts)}
            for way, cost in rows.items():
                ratio = f"{cost.each / judged.each:.2f} x"
                print(f"{name:<8}{way:<8}{cost.once:>8.2f}{cost.each:>9.3f}   {ratio}", flush=True)

    with_laws([EX2], 0, measure)


if __name__ == "__main__":
    main()
