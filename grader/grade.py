"""The command `grader grade`: a folder of submissions in, a folder of reports out."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, with_laws
from grader.judge.warm import warm_up
from grader.judge.workers import Zygote
from grader.reports import Reports
from grader.results import StudentResult
from grader.submissions.find import Submission, UnusableInput, find
from grader.worker.isolation import Level


@dataclass(frozen=True)
class Progress:
    """Who is told how a run goes on: `total` once, then each student's result in the order of the class."""

    begin: Callable[[int], None]
    done: Callable[[StudentResult], None]


def grade(
    submissions: Path, out: Path, settings: Settings, *, only: Iterable[str], level: Level | None, progress: Progress
) -> list[StudentResult]:
    """Grade every submission of a folder and write the reports; returns the results in the order of the class.

    What an earlier run in the same `out` has finished, with the same submission, laws and settings, is kept. Raises
    `UnusableInput`, `IsolationUnavailable` or `CollectionFault` before anything is written.
    """
    chosen = _only(find(submissions), set(only))
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise UnusableInput("--device cuda: torch finds no GPU on this machine")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    torch.set_num_threads(1)
    results: list[StudentResult] = []

    def proceed(catalogue: Catalogue) -> None:
        warm_up()
        with Zygote(level) as zygote:
            batch = Batch(catalogue, zygote, settings)
            results.extend(_grade(batch, chosen, Reports(out), progress))

    with_laws(settings.exercises, settings.seed, proceed)
    return results
