"""The commands `grader grade` and `grader demo`: a folder of submissions in, a folder of reports out."""

import argparse
import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from grader.course import EXERCISES, ROOT
from grader.exit_status import DONE, INTERRUPTED, Unusable
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, with_laws
from grader.judge.verdict import is_complete
from grader.judge.warm import warm_up
from grader.judge.workers import Zygote
from grader.late import LatePolicy, late_policy
from grader.reports.class_json import Member, read_class
from grader.reports.folder import reserved
from grader.reports.gradebook import check_gradebook, write_gradebook
from grader.reports.kept import read_report
from grader.reports.terminal import Terminal, class_summary, progress_bar
from grader.reports.text import some
from grader.reports.write import write_class, write_report, write_student
from grader.results import StudentResult
from grader.submissions.arrivals import Arrival, locate
from grader.submissions.find import Submission, read
from grader.submissions.names import safe_name
from grader.submissions.roster import read_roster

_SHOWN = 20
"""So many names are listed."""
SAMPLE_CLASS = ROOT / "tests" / "sample_class" / "submissions"


def demo_command(options: argparse.Namespace) -> int:
    """Grade the sample class that comes with the course."""
    options.submissions = SAMPLE_CLASS
    return grade_command(options)


def grade_command(options: argparse.Namespace) -> int:
    """Grade a folder as the command line says; the exit status."""
    settings = Settings(
        exercises=[EXERCISES[id] for id in EXERCISES if not options.exercise or id in options.exercise],
        seed=options.seed,
        device=options.device,
        jobs=options.jobs or len(os.sched_getaffinity(0)),
    )
    run = _prepared(options, [exercise.id for exercise in settings.exercises])
    _check_device(settings.device)
    run.say_what_goes()
    torch.set_num_threads(1)  # before any fork: a child of a process with more hangs at its first product
    hidden = [options.out.resolve(), options.submissions.resolve()]
    try:
        with reserved(options.out), Zygote(options.isolation, hidden=hidden, wait=False) as zygote:
            with_laws(settings.exercises, settings.seed, lambda laws: run.grade(laws, zygote, settings))
    except KeyboardInterrupt:
        kept = f"{len(run.results)} of {len(run.arrivals)} submissions are finished and kept"
        print(f"\ngrader: interrupted. {kept}; the same command goes on from there.", file=sys.stderr)
        return INTERRUPTED
    if options.gradebook:
        written = write_gradebook(options.gradebook, run.results.values())
        if added := sorted(written.added):
            who = f"{len(added)} student{'s were' if len(added) > 1 else ' was'} added to the gradebook"
            print(f"{who}, which did not know them: {some(added, _SHOWN)}")
        print(f"{written.scores} scores written to {options.gradebook}")
    return DONE


def _prepared(options: argparse.Namespace, exercises: list[str]) -> "_Run":
    """What the command line asks for, as far as that can be known before anything is graded."""
    policy = late_policy(options.due, options.grace, options.penalty, options.zone) if options.due else None
    roster = read_roster(options.roster) if options.roster else None
    folder: Path = options.submissions
    arrivals, notes = locate(folder, roster)
    chosen = _only(arrivals, options.only)
    if folder.resolve() in (options.out.resolve(), *options.out.resolve().parents):
        raise Unusable(f"the reports cannot go into the folder of submissions: {options.out}")
    if options.gradebook and (made := check_gradebook(options.gradebook)):
        print(f"grader: there was no gradebook at {made}, so a new one was made there.", file=sys.stderr)
    return _Run(exercises, arrivals, chosen, options.out, notes, policy, options.regrade)


def _only(arrivals: Sequence[Arrival], students: Sequence[str]) -> list[Arrival]:
    absent = set(students) - {arrival.student for arrival in arrivals}
    if absent:
        raise Unusable(f"--only {min(absent)}: there is no submission of that name")
    return [arrival for arrival in arrivals if not students or arrival.student in students]


def _check_device(device: str) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        raise Unusable("--device cuda: torch finds no GPU on this machine")


def _say_isolation(zygote: Zygote) -> None:
    """A weaker level than the strongest is never silent."""
    if zygote.level == "none":
        print("grader: without isolation: submissions can read and change whatever you can.", file=sys.stderr)
    for level, reason in zygote.reasons.items():
        print(f"grader: isolation is {zygote.level}, not {level}: {reason}", file=sys.stderr)


@dataclass
class _Run:
    """One grading run: of which exercises, who sent something, who is graded, where reports go, what is finished."""

    exercises: list[str]
    everyone: Sequence[Arrival]
    arrivals: Sequence[Arrival]
    out: Path
    notes: list[str]
    policy: LatePolicy | None
    regrade: bool
    results: dict[str, StudentResult] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taken: set[str] = set()
        known = {member.student: member for member in (read_class(self.out / "class.json") or ([], []))[0]}
        for arrival in self.everyone:
            # Each student's folder of reports is the same whether all are graded or one.
            member = Member(arrival.student, safe_name(arrival.student, taken), arrival.submitted)
            earlier = known.get(arrival.student)
            if member.submitted is None and earlier is not None:
                member = replace(member, submitted=earlier.submitted)
            self.members[arrival.student] = member

    def say_what_goes(self) -> None:
        """Reports of this run take the place of an earlier run's, of which some exercises may not be graded now."""
        reports = (self._report(arrival.student) for arrival in self.arrivals)
        held = {id for report in reports if report is not None for id in report.exercises}
        if gone := [id for id in EXERCISES if id in held and id not in self.exercises]:
            together = " ".join(f"--exercise {id}" for id in EXERCISES if id in held or id in self.exercises)
            print(
                f"grader: the reports in {self.out} held {', '.join(gone)}: from now on they hold only "
                f"{', '.join(self.exercises)}; grade all with {together}, or choose another folder.",
                file=sys.stderr,
            )

    def grade(self, catalogue: Catalogue, zygote: Zygote, settings: Settings) -> None:
        """Grade, and write each report as soon as it is known and the class at the end."""
        console = Terminal()
        warm_up()
        zygote.wait_until_ready()
        _say_isolation(zygote)
        batch = Batch(catalogue, zygote, settings)
        with progress_bar(console) as progress, closing(self._finished(batch)) as finished:
            bar = progress.add_task("grading", total=len(self.arrivals))
            for result in finished:
                self.results[result.student] = result
                progress.advance(bar)
                progress.refresh()
        known = [self.results.get(arrival.student) or self._report(arrival.student) for arrival in self.everyone]
        results = [result for result in known if result is not None]
        in_order = [result for result in results if list(result.exercises) == self.exercises]
        if others := [result.student for result in results if list(result.exercises) != self.exercises]:
            self.notes.append(f"left out here, as their reports are of other exercises: {', '.join(others)}")
        members = [self.members[result.student] for result in in_order]
        told = write_class(in_order, members, self.out, self.notes, self.policy)
        class_summary(in_order, self.out, told)

    def _folder(self, student: str) -> Path:
        return self.out / self.members[student].folder

    def _report(self, student: str) -> StudentResult | None:
        """What an earlier run left of this student."""
        return read_report(self._folder(student) / "report.json")

    def _finished(self, batch: Batch) -> Generator[StudentResult]:
        """Results as they come: those kept from an earlier run, and those graded now, which are written at once."""
        kept: list[StudentResult] = []
        with closing(batch.grade(self._still_to_grade(batch, kept))) as graded:
            for result in graded:
                yield from kept
                kept.clear()
                yield self._written(result).brief()
        yield from kept

    def _written(self, result: StudentResult) -> StudentResult:
        """Write a result, unless it failed by our fault and an earlier run had a whole one of the same; what counts."""
        earlier = self._report(result.student)
        is_same = earlier is not None and (
            earlier.provenance.submission_sha256 == result.provenance.submission_sha256
            and list(earlier.exercises) == list(result.exercises)
        )
        if earlier is not None and is_same and is_complete(earlier.laws) and not is_complete(result.laws):
            self.notes.append(f"{result.student}: grading again failed, so the report of an earlier run is kept")
            return earlier
        write_student(result, self._folder(result.student))
        return result

    def _still_to_grade(self, batch: Batch, kept: list[StudentResult]) -> Iterator[Submission]:
        """Read the submissions one by one, and set aside those with a report that this run would only repeat."""
        for arrival in self.arrivals:
            submission = read(arrival, self.exercises)
            self.members[arrival.student] = replace(self.members[arrival.student], submitted=submission.submitted)
            report = None if self.regrade else self._report(arrival.student)
            if report is None or not batch.would_repeat(report, submission):
                yield submission
                continue
            if report.notes != submission.notes:
                report = replace(report, notes=submission.notes)
                write_report(report, self._folder(arrival.student))
            kept.append(report.brief())
