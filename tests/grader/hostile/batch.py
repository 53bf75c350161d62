"""Grades a folder as `grader grade` does, each attack on few laws: python -m tests.grader.hostile.batch IN OUT LEVEL"""

import sys
from pathlib import Path

import torch

from grader.course import EXERCISES
from grader.judge.batch import Batch, Settings
from grader.judge.catalogue import Catalogue, with_laws
from grader.judge.warm import warm_up
from grader.judge.workers import Zygote
from grader.laws.law import Law
from grader.reports.class_json import Member
from grader.reports.terminal import class_summary
from grader.reports.write import write_class, write_student
from grader.submissions.arrivals import locate
from grader.submissions.find import Submission, read
from grader.submissions.names import safe_name
from tests.grader.hostile.attacks import ATTACKS, BYSTANDERS, ONE, Level

SETTINGS = Settings(
    [EXERCISES["ex2"], EXERCISES["ex3"]], jobs=2, follow_through=False, diagnosis=False, call_seconds=1.0
)


def is_tried(submission: Submission, law: Law) -> bool:
    """Bystanders are tried on all laws of ex2, who sent nothing that works on one."""
    attack = ATTACKS.get(submission.student)
    if attack is not None:
        return (law.exercise.id, law.name) in [(attack.exercise, name) for name in attack.laws]
    return law.exercise.id == "ex2" and (submission.student in BYSTANDERS or law.name in ONE["ex2"])


def main(folder: Path, out: Path, level: Level) -> None:
    """Write all reports, and the class in the terminal."""
    torch.set_num_threads(1)
    arrivals, notes = locate(folder)
    taken: set[str] = set()
    members = {each.student: Member(each.student, safe_name(each.student, taken), each.submitted) for each in arrivals}

    def grade(catalogue: Catalogue) -> None:
        warm_up()
        batch = Batch(catalogue, zygote, SETTINGS, is_tried)
        results = {}
        for result in batch.grade(read(arrival) for arrival in arrivals):
            results[result.student] = result
            write_student(result, out / members[result.student].folder)
        in_order = [results[arrival.student] for arrival in arrivals]
        write_class(in_order, list(members.values()), out, notes)
        class_summary(in_order, out)

    with Zygote(level, hidden=[out, folder]) as zygote:
        with_laws(SETTINGS.exercises, SETTINGS.seed, grade)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), "landlock" if sys.argv[3] == "landlock" else "namespaces")
