"""The console script `grader`: arguments in, exit status out; the work is done by the functions it calls.

Exit status: 0 the job was done (whatever the marks), 1 a check found faults, 2 the call or its input was unusable.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.course import EXERCISES
from grader.exit_status import INTERRUPTED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit status."""
    options = _parser().parse_args(arguments)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="replace")  # a terminal that cannot show a bar shows something else
    try:
        status: int = options.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grader", description="Grades the course's exercises.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    grade = commands.add_parser("grade", help="grade a folder of submissions")
    grade.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="a folder or zip per student")
    grade.add_argument("-o", "--out", type=Path, required=True, metavar="OUT", help="where the reports go")
    grade.add_argument("--only", action="append", default=[], metavar="STUDENT", help="this student (may be repeated)")
    grade.add_argument("--roster", type=Path, metavar="CSV", help="who is in the class, and by which other names")
    grade.add_argument("--regrade", action="store_true", help="grade again what has a report that would be kept")
    grade.add_argument(
        "--gradebook", metavar="URL", help="also write the marks to nbgrader's, such as sqlite:///gradebook.db"
    )
    _add_run_options(grade)
    _add_late_options(grade, required=False)
    grade.set_defaults(run=_grade)

    late = commands.add_parser("late", help="another late policy for a graded class, without grading again")
    late.add_argument("out", type=Path, metavar="OUT", help="where the reports are")
    late.add_argument("--roster", type=Path, metavar="CSV", help="its times of submission count first")
    _add_late_options(late, required=True)
    late.set_defaults(run=_late)

    demo = commands.add_parser("demo", help="grade the bundled sample class")
    demo.add_argument("-o", "--out", type=Path, default=Path("demo-reports"), metavar="OUT")
    _add_run_options(demo)
    demo.set_defaults(run=_demo, only=[], roster=None, regrade=False, due=None, gradebook=None)

    audit = commands.add_parser("audit", help="prove the course: the laws, tried on answers of which all is known")
    audit.add_argument("-o", "--out", type=Path, default=Path("audit-report"), metavar="OUT", help="for the matrix")
    audit.add_argument("--seeds", type=_positive, default=1, metavar="N", help="repeat it on N seeds (default 1)")
    audit.add_argument("--quick", action="store_true", help="try wrong answers only on the laws that name their fault")
    _add_run_options(audit)
    audit.set_defaults(run=_audit)

    doctor = commands.add_parser("doctor", help="what this machine offers for grading; grades one submission")
    doctor.add_argument("-o", "--out", type=Path, default=Path(), metavar="OUT", help="where reports would go")
    doctor.set_defaults(run=_doctor)

    build = commands.add_parser("build", help="generate skeletons and notebooks from solutions, handouts and laws")
    build.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything is stale or malformed")
    build.add_argument("--lang", choices=("en", "zh"), default="en", help="of the notebooks' text (default en)")
    build.set_defaults(run=_build)
    return parser


def _add_run_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--exercise", action="append", choices=list(EXERCISES), metavar="EX", help="ex1 … ex5 (may be repeated)"
    )
    command.add_argument("--jobs", type=_positive, metavar="N", help="submissions at a time (default: one per core)")
    command.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where submissions compute")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of all that is drawn (default 0)")
    command.add_argument(
        "--isolation",
        choices=("namespaces", "landlock", "none"),
        help="default: the strongest that this machine offers. `none` is not for code that you do not trust",
    )


def _add_late_options(command: argparse.ArgumentParser, *, required: bool) -> None:
    command.add_argument("--due", required=required, metavar="TIME", help="2026-12-01T23:59+01:00")
    command.add_argument("--grace", default="0m", metavar="SPAN", help="15m, 2h, 1d after it cost nothing (default 0m)")
    command.add_argument(
        "--penalty", default="10%/day", metavar="PART", help="of the points, per day begun (default 10%%/day)"
    )
    command.add_argument("--zone", metavar="ZONE", help="of times without one: Europe/Berlin (default: that of --due)")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _grade(options: argparse.Namespace) -> int:
    from grader.grade import grade_command  # torch takes a second to import: not for `grader --help`

    return grade_command(options.submissions, options)


def _late(options: argparse.Namespace) -> int:
    from grader.late_command import late_command

    return late_command(options)


def _demo(options: argparse.Namespace) -> int:
    from grader.grade import demo_command

    return demo_command(options)


def _audit(options: argparse.Namespace) -> int:
    from grader.audit.command import audit_command

    return audit_command(options)


def _doctor(options: argparse.Namespace) -> int:
    from grader.doctor import doctor_command

    return doctor_command(options)


def _build(options: argparse.Namespace) -> int:
    from grader.build import build_command

    return build_command(options)


if __name__ == "__main__":
    sys.exit(main())
