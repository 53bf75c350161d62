"""What grading costs, against a fresh pytest per submission and against the bare floor. Run by hand:

    python tests/benchmarks/compare.py [--copies N]

CPU seconds, one thread, one submission at a time. Three batches: right answers to ex2, a mixed one of ex2 (half of
them wrong), and whole submissions of five right answers, training included. `fresh` is a new `pytest` process per
submission, as a course without a grader would do. `judge` is what `grader grade` does: laws in a judge, answers in
isolated workers; `named` is the same with a search for known mistakes where laws fail, which the others do not offer.
`floor` is one process that imports torch and collects the laws once, and then tries them on one submission after the
other, with no isolation at all. What is paid once per run, however large the class, is shown apart. A busy machine
spoils the figures: judge and worker take turns at each call, and find their core's cache full of what others do.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import torch

from grader.course import EXERCISES, ROOT, SOLUTIONS, Exercise
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, reference_sources, with_laws
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
    "fill not low enough": ("lowest = torch.finfo(wide).min", "lowest = -1e4"),
    "detached": ("return weights @ v, weights", "return weights.detach() @ v, weights"),
    "not zeroed": (".softmax(dim=-1).masked_fill(~mask, 0.0)", ".softmax(dim=-1)"),
    "scale of values": ("math.sqrt(q.size(-1))", "math.sqrt(v.size(-1))"),
}


@dataclass
class Cost:
    """CPU seconds paid once, and per submission."""

    once: float
    each: float


Answers = Mapping[str, str]  # the text of each exercise that was handed in


def whole_submissions(count: int) -> list[Answers]:
    return [reference_sources(EXERCISES)] * count


def right_answers(count: int) -> list[Answers]:
    texts = [(SAMPLE / name / EX2.filename).read_text(encoding="utf-8") for name in RIGHT]
    texts.append((SOLUTIONS / EX2.filename).read_text(encoding="utf-8"))
    return [{EX2.id: texts[i % len(texts)]} for i in range(count)]


def wrong_answers(count: int) -> list[Answers]:
    texts = [(SAMPLE / name / EX2.filename).read_text(encoding="utf-8") for name in WRONG_CLASSMATES]
    solution = (SOLUTIONS / EX2.filename).read_text(encoding="utf-8")
    for name, (old, new) in FAULTS.items():
        if old not in solution:
            raise SystemExit(f"the fault {name!r} no longer fits the solution")
        texts.append(solution.replace(old, new))
    return [{EX2.id: texts[i % len(texts)]} for i in range(count)]


@contextmanager
def folder_with(answers: Answers) -> Iterator[Path]:
    """The solutions with these answers in their midst."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "exercises"
        shutil.copytree(SOLUTIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for exercise, text in answers.items():
            (folder / EXERCISES[exercise].filename).write_text(text, encoding="utf-8")
        yield folder


def cpu_seconds() -> float:
    """Of this process and all its children that have ended."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def spent_by(pid: int) -> float:
    """CPU seconds of another process and all its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def fresh(batch: Sequence[Answers]) -> Cost:
    started = cpu_seconds()
    for answers in batch:
        with folder_with(answers) as folder:
            laws = [str(EXERCISES[exercise].laws) for exercise in answers]
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *laws]
            command += ["--implementation", str(folder)]
            subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    return Cost(0.0, (cpu_seconds() - started) / len(batch))


def judge(catalogue: Catalogue, batch: Sequence[Answers], *, diagnosis: bool = False) -> Cost:
    """The zygote's start is paid once; the first submission is for practice, in which a judge gets warm."""
    submissions = [Submission(str(i), answers) for i, answers in enumerate([batch[0], *batch])]
    exercises = [EXERCISES[exercise] for exercise in batch[0]]
    with Zygote() as zygote:
        once, started = spent_by(zygote.pid), time.process_time()
        _, *results = Batch(catalogue, zygote, Settings(exercises, diagnosis=diagnosis)).grade(submissions)
        workers = spent_by(zygote.pid) - once
        parent = time.process_time() - started
    judges = sum(result.cpu_seconds["judge"] for result in results)
    return Cost(once, judges / len(results) + (workers + parent) / len(submissions))


class _Local:
    """The pytest plugin of the floor: the implementation in this process."""

    folder = Path()

    def pytest_make_implementation(self, exercise: Exercise) -> LocalImplementation:
        use_folder(self.folder)
        return LocalImplementation(exercise, self.folder)


def floor(catalogue: Catalogue, batch: Sequence[Answers]) -> Cost:
    """The collected laws one after the other, here; after one submission for practice."""
    local = _Local()
    catalogue.config.pluginmanager.register(local)
    items: list[Any] = [item for law, item in catalogue.items.items() if law.exercise.id in batch[0]]
    for i, answers in enumerate([batch[0], *batch]):
        if i == 1:
            started = time.process_time()
        with folder_with(answers) as local.folder:
            for item, following in zip(items, [*items[1:], None], strict=True):
                catalogue.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    catalogue.config.pluginmanager.unregister(local)
    return Cost(0.0, (time.process_time() - started) / len(batch))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=20, help="submissions per batch (default 20)")
    copies = parser.parse_args().copies
    torch.set_num_threads(1)

    def measure(catalogue: Catalogue) -> None:
        warm_up()
        half = copies // 2
        mixed = right_answers(copies - half) + wrong_answers(half)
        batches = {"right": right_answers(copies), "mixed": mixed, "whole": whole_submissions(copies)}
        print(f"{'batch':<8}{'way':<8}{'once':>8}{'each':>9}   against the judge")
        for name, batch in batches.items():
            judged, named = (judge(catalogue, batch, diagnosis=diagnosis) for diagnosis in (False, True))
            rows = {"fresh": fresh(batch), "judge": judged, "named": named, "floor": floor(catalogue, batch)}
            for way, cost in rows.items():
                ratio = f"{cost.each / judged.each:.2f} x"
                print(f"{name:<8}{way:<8}{cost.once:>8.2f}{cost.each:>9.3f}   {ratio}", flush=True)

    with_laws(list(EXERCISES.values()), 0, measure)


if __name__ == "__main__":
    main()
