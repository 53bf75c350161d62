"""Which answer fails which law, as JSON and as a page."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.audit.trials import Answer, Trial
from grader.laws.law import Law
from grader.reports.html import page


@dataclass
class Row:
    """One answer: on how many of its seeds each law failed."""

    answer: Answer
    seeds: int = 0
    failed: Counter[str] = field(default_factory=Counter)

    def mark(self, law: str) -> str:
        """`named`, `also`, `strange`, or nothing: how a failure of this law is to be taken."""
        entry = self.answer.entry
        if not self.failed[law] or self.answer.kind == "skeleton":
            return ""
        if entry is None or self.answer.kind == "right":
            return "strange"
        return "named" if law in entry.laws else "also" if law in entry.also else "strange"

    def share(self, law: str) -> str:
        """On how many of the seeds, if not on all."""
        return "" if self.failed[law] in (0, self.seeds) else f"{self.failed[law]}/{self.seeds}"


def rows(trials: Sequence[Trial]) -> list[Row]:
    """A row per answer, in the course's order."""
    found: dict[tuple[str, str], Row] = {}
    for trial in trials:
        row = found.setdefault((trial.answer.exercise.id, trial.answer.id), Row(trial.answer))
        row.seeds += 1
        row.failed.update(name for name, status in trial.statuses.items() if status != "passed")
    order = {"skeleton": 0, "solution": 1, "wrong": 2, "right": 3}
    return sorted(found.values(), key=lambda r: (r.answer.exercise.id, order[r.answer.kind], r.answer.id))


def as_json(trials: Sequence[Trial], laws: Sequence[Law], faults: Sequence[str], *, quick: bool) -> str:
    """The matrix for machines: per answer, on how many seeds each law failed."""
    value = {
        "schema": 1,
        "quick": quick,
        "seeds": sorted({trial.seed for trial in trials}),
        "laws": {law.exercise.id: [each.name for each in laws if each.exercise == law.exercise] for law in laws},
        "answers": [
            {
                "exercise": row.answer.exercise.id,
                "id": row.answer.id,
                "kind": row.answer.kind,
                "seeds": row.seeds,
                "failed": dict(sorted(row.failed.items())),
            }
            for row in rows(trials)
        ],
        "flakes": flakes(trials),
        "faults": list(faults),
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def flakes(trials: Sequence[Trial]) -> dict[str, int]:
    """For each law, how many answers fail it on some of their seeds only."""
    unsteady = Counter(
        f"{row.answer.exercise.id} {law}"
        for row in rows(trials)
        for law, count in row.failed.items()
        if count != row.seeds
    )
    return dict(sorted(unsteady.items()))


def as_html(trials: Sequence[Trial], laws: Sequence[Law], faults: Sequence[str]) -> str:
    """The matrix as a page."""
    by_exercise: dict[str, list[Row]] = {}
    for row in rows(trials):
        by_exercise.setdefault(row.answer.exercise.id, []).append(row)
    return page(
        "audit.html",
        summary=summary(trials),
        by_exercise=by_exercise,
        laws={id: [law for law in laws if law.exercise.id == id] for id in by_exercise},
        faults=faults,
        flakes=flakes(trials),
    )


def summary(trials: Sequence[Trial]) -> str:
    """One sentence: how many answers of which kind, on how many seeds."""
    kinds = Counter(row.answer.kind for row in rows(trials))
    seeds = len({trial.seed for trial in trials})
    return f"{kinds['wrong']} wrong and {kinds['right']} right answers on {seeds} seed{'s' * (seeds != 1)}."
