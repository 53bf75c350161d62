"""`grader audit`: the course proves itself."""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

import torch

from grader.audit import faults, matrix
from grader.audit.trials import Trial, Trials, all_answers, is_tried_quickly
from grader.course import EXERCISES
from grader.exit_status import DONE, FAULTY, INTERRUPTED
from grader.judge.catalogue import Catalogue, with_laws
from grader.judge.warm import warm_up
from grader.judge.workers import Zygote
from grader.laws.forall import do_not_shrink
from grader.laws.law import Law
from grader.reports.files import write_whole
from grader.reports.terminal import Terminal, progress_bar


def audit_command(options: argparse.Namespace) -> int:
    """Audit the course as the command line says; the exit status."""
    out: Path = options.out
    console = Terminal()
    asked = options.exercise or list(EXERCISES)
    laws: list[Law] = []
    found: list[Trial] = []
    try:
        answers = {exercise: of for exercise, of in all_answers().items() if exercise.id in asked}
        out.mkdir(parents=True, exist_ok=True)
        jobs = options.jobs or len(os.sched_getaffinity(0))
        chosen = {"is_tried": is_tried_quickly} if options.quick else {}
        trials = Trials(out / "trials.jsonl", jobs=jobs, **chosen)
        torch.set_num_threads(1)  # before any fork
        do_not_shrink()
        with Zygote(options.isolation) as zygote, progress_bar(console) as progress:
            bar = progress.add_task("auditing", total=options.seeds * sum(map(len, answers.values())))

            def try_all(seed: int, catalogue: Catalogue) -> None:
                warm_up()
                laws[:] = catalogue.items
                for trial in trials.run(catalogue, zygote, seed, answers):
                    found.append(trial)
                    progress.advance(bar)
                    progress.refresh()

            for seed in range(options.seed, options.seed + options.seeds):
                with_laws(list(answers), seed, partial(try_all, seed))
    except KeyboardInterrupt:
        print(f"\ngrader: interrupted. {len(found)} trials are kept; the same command goes on.", file=sys.stderr)
        return INTERRUPTED
    told = [*faults.of_trials(found, laws), *faults.of_build(), *faults.of_leaks()]
    if len(answers) == len(EXERCISES):
        told += faults.of_laws(laws)
    write_whole(out / "audit.json", matrix.as_json(found, laws, told, quick=options.quick))
    write_whole(out / "audit.html", matrix.as_html(found, laws, told))
    for fault in told:
        print(fault)
    console.print(f"{matrix.summary(found)} {len(told) or 'No'} fault{'s' * (len(told) != 1)}. See {out}/audit.html")
    return FAULTY if told else DONE
