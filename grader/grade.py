"""The commands `grader grade` and `grader demo`: a folder of submissions in, a folder of reports out."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from rich.console import Console

from grader.course import EXERCISES, ROOT
from grader.exit_status import DONE, INTERRUPTED, UNUSABLE
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, CollectionFault, with_laws
from grader.judge.warm import warm_up
from grader.judge.workers import IsolationUnavailable, Zygote, ZygoteLost
from grader.reports.gradebook import GradebookUnusable, check_gradebook, write_gradebook
from grader.reports.kept import read_report
from grader.reports.terminal import class_summary, progress_bar
from grader.reports.write import write_class, write_student
from grader.results import StudentResult
from grader.submissions.find import Arrival, Submission, UnusableInput, locate, read
from grader.submissions.names import safe_name

SAMPLE_CLASS = ROOT / "tests" / "sample_class" / "submissions"


def demo_command(options: argparse.Namespace) -> int:
    """Grade the sample class that comes with the course."""
    options.only, options.gradebook = [], None
    return grade_command(SAMPLE_CLASS, options)


def grade_command(folder: Path, options: argparse.Namespace) -> int:
    """Grade a folder as the command line says; the exit status."""
    settings = Settings(
        exercises=[EXERCISES[id] for id in EXERCISES if not options.exercise or id in options.exercise],
        seed=options.seed,
        device=options.device,
        jobs=options.jobs or len(os.sched_getaffinity(0)),
    )
    try:
        arrivals, notes = locate(folder)
        run = _Run(arrivals, _only(arrivals, options.only), options.out, notes)
        if folder.resolve() in (options.out.resolve(), *options.out.resolve().parents):
            raise UnusableInput(f"the reports cannot go into the folder of submissions: {options.out}")
        run.prepare()
        if options.gradebook:
            check_gradebook(options.gradebook)
        _check_device(settings.device)
        torch.set_num_threads(1)  # before any fork: a child of a process with more hangs at its first product
        with Zygote(options.isolation, hidden=[options.out.resolve(), folder.resolve()], wait=False) as zygote:
            with_laws(settings.exercises, settings.seed, lambda laws: run.grade(laws, zygote, settings))
        if options.gradebook:
            written = write_gradebook(options.gradebook, run.results.values())
            print(f"{written} scores written to {options.gradebook}")
    except (UnusableInput, IsolationUnavailable, CollectionFault, ZygoteLost, GradebookUnusable) as error:
        print(f"grader: {error}", file=sys.stderr)
        return UNUSABLE
    except OSError as error:
        print(f"grader: {error.filename or options.out}: {error.strerror or error}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        kept = f"{len(run.results)} of {len(run.arrivals)} submissions are finished and kept"
        print(f"\ngrader: interrupted. {kept}; the same command goes on from there.", file=sys.stderr)
        return INTERRUPTED
    return DONE


def _only(arrivals: Sequence[Arrival], students: Sequence[str]) -> list[Arrival]:
    absent = set(students) - {arrival.student for arrival in arrivals}
    if absent:
        raise UnusableInput(f"--only {min(absent)}: there is no submission of that name")
    return [arrival for arrival in arrivals if not students or arrival.student in students]


def _check_device(device: str) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        raise UnusableInput("--device cuda: torch finds no GPU on this machine")


def _say_isolation(zygote: Zygote) -> None:
    """A weaker level than the strongest is never silent."""
    if zygote.level == "none":
        print("grader: without isolation: submissions can read and change whatever you can.", file=sys.stderr)
    for level, reason in zygote.reasons.items():
        print(f"grader: isolation is {zygote.level}, not {level}: {reason}", file=sys.stderr)


@dataclass
class _Run:
    """One grading run: who sent something, who is graded, where the reports go, what is finished."""

    everyone: Sequence[Arrival]
    arrivals: Sequence[Arrival]
    out: Path
    notes: Sequence[str]
    results: dict[str, StudentResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taken: set[str] = set()
        # Each student's folder of reports is the same whether all are graded or one.
        self.folders = {arrival.student: safe_name(arrival.student, taken) for arrival in self.everyone}

    def prepare(self) -> None:
        """Make the folder of reports, and see that it can be written to before anything is graded."""
        self.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.out):
            pass

    def grade(self, catalogue: Catalogue, zygote: Zygote, settings: Settings) -> None:
        """Grade, and write each report as soon as it is known and the class at the end."""
        console = Console(highlight=False, soft_wrap=True)
        warm_up()
        zygote.wait_until_ready()
        _say_isolation(zygote)
        batch = Batch(catalogue, zygote, settings)
        with progress_bar(console) as progress:
            bar = progress.add_task("grading", total=len(self.arrivals))
            for result in self._finished(batch):
                self.results[result.student] = result
                progress.advance(bar)
                progress.refresh()
        exercises = [exercise.id for exercise in settings.exercises]
        known = [self.results.get(arrival.student) or self._report(arrival) for arrival in self.everyone]
        in_order = [result for result in known if result is not None and list(result.exercises) == exercises]
        write_class(in_order, self.folders, self.out, self.notes)
        class_summary(in_order, self.out)

    def _report(self, arrival: Arrival) -> StudentResult | None:
        """What an earlier run left of this student."""
        return read_report(self.out / self.folders[arrival.student] / "report.json")

    def _finished(self, batch: Batch) -> Iterator[StudentResult]:
        """Results as they come: those kept from an earlier run, and those graded now, which are written at once."""
        kept: list[StudentResult] = []
        for result in batch.grade(self._still_to_grade(batch, kept)):
            yield from kept
            kept.clear()
            write_student(result, self.out / self.folders[result.student])
            yield result
        yield from kept

    def _still_to_grade(self, batch: Batch, kept: list[StudentResult]) -> Iterator[Submission]:
        """Read the submissions one by one, and set aside those with a report that this run would only repeat."""
        for arrival in self.arrivals:
            submission = read(arrival)
            report = self._report(arrival)
            if report is not None and batch.would_repeat(report, submission):
                kept.append(report)
            else:
                yield submission
