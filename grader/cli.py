"""The console script `grader`.

Exit status: 0 the job was done (whatever the marks), 1 a check found faults, 2 the call or its input was unusable,
130 it was interrupted.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from grader.course import EXERCISES
from grader.exit_status import Unusable, run_command
from grader.submit import add_submit

PLATFORMS = ("gradescope", "canvas", "moodle", "csv", "junit", "github")

_Commands = argparse._SubParsersAction  # of ArgumentParser; argparse has no public name for it


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command of the `grader` console script; the return value is the exit status."""
    return run_command(_parser().parse_args(arguments))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grader", description="Builds and grades the course's exercises.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_grading(commands)
    _add_course(commands)
    _add_exchange(commands)
    return parser


def _add_grading(commands: "_Commands[argparse.ArgumentParser]") -> None:
    grade = commands.add_parser("grade", help="grade a folder of submissions")
    grade.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="a folder or zip per student")
    grade.add_argument("-o", "--out", type=Path, required=True, metavar="OUT", help="for the reports")
    grade.add_argument("--only", action="append", default=[], metavar="STUDENT", help="this student (may be repeated)")
    grade.add_argument("--roster", type=Path, metavar="CSV", help="who is in the class, and by which other names")
    grade.add_argument("--regrade", action="store_true", help="grade again what has a report that would be kept")
    grade.add_argument(
        "--gradebook", metavar="URL", help="also write the marks to nbgrader's, such as sqlite:///gradebook.db"
    )
    _add_run_options(grade)
    _add_late_options(grade, required=False)
    grade.set_defaults(run=_on_linux("grader.grade", "grade_command"))

    late = commands.add_parser("late", help="another late policy for a graded class, without grading again")
    late.add_argument("out", type=Path, metavar="OUT", help="where the reports are")
    late.add_argument("--roster", type=Path, metavar="CSV", help="its times of submission count first")
    _add_late_options(late, required=True)
    late.set_defaults(run=_on_linux("grader.late_command", "late_command"))

    demo = commands.add_parser("demo", help="grade the bundled sample class")
    demo.add_argument("-o", "--out", type=Path, default=Path("demo-reports"), metavar="OUT", help="for the reports")
    _add_run_options(demo)
    demo.set_defaults(run=_on_linux("grader.grade", "demo_command"))
    demo.set_defaults(only=[], roster=None, regrade=False, gradebook=None, due=None)

    doctor = commands.add_parser("doctor", help="what this machine offers for grading; grades one submission")
    doctor.add_argument("-o", "--out", type=Path, default=Path(), metavar="OUT", help="where reports would go")
    doctor.set_defaults(run=_on_linux("grader.doctor", "doctor_command"))


def _add_course(commands: "_Commands[argparse.ArgumentParser]") -> None:
    build = commands.add_parser("build", help="generate skeletons and notebooks from solutions, handouts and laws")
    build.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything is stale or malformed")
    build.add_argument("--lang", choices=("en", "zh"), help="of the notebooks' text (default: as they are now, or en)")
    build.set_defaults(run=_lazily("grader.build", "build_command"))

    audit = commands.add_parser("audit", help="prove the course: the laws, tried on answers of which all is known")
    audit.add_argument("-o", "--out", type=Path, default=Path("audit-report"), metavar="OUT", help="for the matrix")
    audit.add_argument("--seeds", type=_positive, default=1, metavar="N", help="repeat it on N seeds (default 1)")
    audit.add_argument("--quick", action="store_true", help="try wrong answers only on the laws that name their fault")
    _add_run_options(audit)
    audit.set_defaults(run=_on_linux("grader.audit.command", "audit_command"))

    release = commands.add_parser("release", help="make the student's copy, and prove it")
    release.add_argument("folder", type=Path, metavar="DIR", help="where it goes; a new or an empty folder")
    release.add_argument("--zip", type=Path, metavar="FILE", help="the same as a zip, too")
    release.add_argument("--classroom", action="store_true", help="with a workflow for GitHub Classroom")
    release.set_defaults(run=_lazily("grader.release.command", "release_command"))


def _add_exchange(commands: "_Commands[argparse.ArgumentParser]") -> None:
    add_submit(commands)

    collect = commands.add_parser("collect", help="take in what `grader submit` packed, a zip per student")
    collect.add_argument("sources", type=Path, nargs="+", metavar="DIR_OR_FILE", help="zips, or folders with zips")
    collect.add_argument("-o", "--out", type=Path, required=True, metavar="SUBMISSIONS", help="for `grader grade`")
    collect.set_defaults(run=_lazily("grader.submissions.collect", "collect_command"))

    export = commands.add_parser("export", help="write a run's results as another platform reads them")
    export.add_argument("out", type=Path, metavar="OUT", help="the reports of `grader grade`")
    export.add_argument("--to", required=True, choices=PLATFORMS, metavar="PLATFORM", help=", ".join(PLATFORMS))
    export.add_argument("--template", type=Path, metavar="FILE", help="canvas, moodle: an export of its gradebook")
    export.add_argument("--column", action="append", default=[], metavar="EX=HEADER", help="a column of the template")
    export.add_argument(
        "--visibility", action="append", default=[], metavar="[EX=|LAW=]WHEN", help="gradescope: when students see it"
    )
    _add_isolation(export, "gradescope: what the autograder insists on there; ")
    export.set_defaults(run=_lazily("grader.export.command", "export_command"))


def _add_run_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--exercise", action="append", choices=list(EXERCISES), metavar="EX", help="ex1 … ex5 (may be repeated)"
    )
    command.add_argument("--jobs", type=_positive, metavar="N", help="submissions at a time (default: one per core)")
    command.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where submissions compute")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of all that is drawn (default 0)")
    _add_isolation(command)


def _add_isolation(command: argparse.ArgumentParser, where: str = "") -> None:
    command.add_argument(
        "--isolation",
        choices=("namespaces", "landlock", "none"),
        help=f"{where}default: the strongest that the machine offers. `none` is not for code that you do not trust",
    )


def _add_late_options(command: argparse.ArgumentParser, *, required: bool) -> None:
    command.add_argument("--due", required=required, metavar="TIME", help="when it was due: 2026-12-01T23:59+01:00")
    command.add_argument("--grace", default="0m", metavar="SPAN", help="15m, 2h, 1d after it cost nothing (default 0m)")
    command.add_argument(
        "--penalty", default="10%/day", metavar="PART", help="of the points, per day begun (default 10%%/day)"
    )
    command.add_argument("--zone", metavar="ZONE", help="of times without one: Europe/Berlin (default: that of --due)")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def _lazily(module: str, function: str) -> Callable[[argparse.Namespace], int]:
    """A command, imported when it is called: torch takes a second to import, which is not for `grader --help`."""

    def run(options: argparse.Namespace) -> int:
        status: int = getattr(import_module(module), function)(options)
        return status

    return run


def _on_linux(module: str, function: str) -> Callable[[argparse.Namespace], int]:
    """A command that grades, or works on what grading left; its modules cannot even be imported everywhere."""
    command = _lazily(module, function)

    def run(options: argparse.Namespace) -> int:
        if sys.platform != "linux":
            system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
            raise Unusable(f"this is {system}, and grading is isolated on Linux only: a virtual machine will do.")
        return command(options)

    return run


if __name__ == "__main__":
    sys.exit(main())
