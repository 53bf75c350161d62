"""How many small changes of the solutions the laws refuse. Run by hand, for about a quarter of an hour:

    pip install -e ".[grader,mutants]"
    python tests/benchmarks/mutants.py [--exercise ex2] [--jobs N] [-o FOLDER]

cosmic-ray's operators change one place inside a solution at a time; the grader then tries each changed module like any
submission. Those that keep all points are printed, and each has to stand in `judged_mutants.md` beside this file, with
the reason why it is no missing law. Exit status 1 if one does not.
"""

import argparse
import ast
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import torch
from rich.console import Console

from grader.audit.trials import Answer, Trials
from grader.bank import entries
from grader.build.markers import parse_regions
from grader.course import EXERCISES, SOLUTIONS, Exercise
from grader.judge.catalogue import Catalogue, with_laws
from grader.judge.warm import warm_up
from grader.judge.workers import Zygote
from grader.laws.forall import do_not_shrink
from grader.laws.law import Law
from grader.reports.terminal import progress_bar

JUDGED = Path(__file__).with_name("judged_mutants.md")
SLOW_LAW = "transformer_learns_to_copy"
FIRST = 6
NOT_USED = ("Decorator", "Variable")  # the solutions have no decorators; the others need to be told names


def mutants(exercise: Exercise) -> Iterator[Answer]:
    """The solution with one change, once for each place and operator. The id says where and what."""
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import MutationVisitor

    source = (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")
    solved = {line for region in parse_regions(source, exercise.filename) for line in range(region.begin, region.end)}
    seen = set()
    for name in sorted(plugins.operator_names()):
        if any(word in name for word in NOT_USED):
            continue
        operator = plugins.get_operator(name)()
        places = [start for node in ast_nodes(get_ast(source)) for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, _) in enumerate(places):
            text = MutationVisitor.mutate_code(source, operator, occurrence) if line in solved else None
            if text is not None and text not in seen and _parses(text):
                seen.add(text)
                yield Answer(_change(source, text), "wrong", exercise, text)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _change(old: str, new: str) -> str:
    """`line 12: what stood there -> what stands there now`."""
    pairs = enumerate(zip(old.splitlines(), new.splitlines(), strict=False), 1)
    return next(f"line {n}: {a.strip()}  ->  {b.strip()}" for n, (a, b) in pairs if a != b)


def first_laws(exercise: Exercise) -> set[str]:
    """A few laws that together refuse many of the bank's wrong answers: most mutants need no other."""
    left, chosen = entries("wrong", exercise), set[str]()
    while left and len(chosen) < FIRST:
        counts = Counter(law for entry in left for law in entry.laws if law != SLOW_LAW)
        chosen.add(counts.most_common(1)[0][0])
        left = [entry for entry in left if not chosen & set(entry.laws)]
    return chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exercise", action="append", choices=list(EXERCISES))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("-o", "--out", type=Path, default=Path("mutants-report"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    do_not_shrink()
    tried = {id: list(mutants(EXERCISES[id])) for id in options.exercise or EXERCISES}
    alive = [answer for answers in tried.values() for answer in answers]
    first = {law for id in tried for law in first_laws(EXERCISES[id])}
    stages: dict[str, Callable[[Answer, Law], bool]] = {
        "first-laws": lambda _, law: law.name in first,
        "other-laws": lambda _, law: law.name not in {*first, SLOW_LAW},
        "slow-law": lambda _, law: law.name == SLOW_LAW,
    }

    def measure(catalogue: Catalogue) -> None:
        warm_up()
        with Zygote() as zygote, progress_bar(Console()) as progress:
            for stage, is_tried in stages.items():
                trials = Trials(options.out / f"{stage}.jsonl", jobs=options.jobs, is_tried=is_tried)
                left = {EXERCISES[id]: [answer for answer in alive if answer.exercise.id == id] for id in tried}
                bar = progress.add_task(stage, total=len(alive))
                alive.clear()
                for trial in trials.run(catalogue, zygote, 0, left):
                    progress.advance(bar)
                    progress.refresh()
                    if set(trial.statuses.values()) <= {"passed"}:
                        alive.append(trial.answer)

    with_laws([EXERCISES[id] for id in tried], 0, measure)
    judged = JUDGED.read_text(encoding="utf-8")
    unjudged = [answer for answer in alive if answer.id.partition(": ")[2] not in judged]
    for id, answers in tried.items():
        left = [answer for answer in alive if answer.exercise.id == id]
        print(f"{id}: {len(answers)} mutants, {len(left)} keep all points")
    for answer in unjudged:
        print(f"not judged yet: {answer.exercise.id} {answer.id}")
    return int(bool(unjudged))


if __name__ == "__main__":
    sys.exit(main())
