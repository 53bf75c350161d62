"""`grader export`: reports in, files for another platform out, in `OUT/exports/`."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from grader.course import EXERCISES
from grader.exit_status import DONE, FAULTY, Unusable
from grader.export.gradebook import CANVAS, FINAL, MOODLE, TOTAL, NoSuchColumn, fill
from grader.export.gradescope import autograder_zip, results_json, visibilities
from grader.export.junit import junit_xml
from grader.export.laws_csv import laws_csv
from grader.export.table import NotATable, Table
from grader.laws.classroom import classroom_json
from grader.reports.class_json import read_class
from grader.reports.files import write_whole
from grader.reports.kept import read_report
from grader.reports.text import one_line
from grader.results import LawResult, StudentResult

_DIALECTS = {"canvas": CANVAS, "moodle": MOODLE}


def export_command(options: argparse.Namespace) -> int:
    """Write the results of a run for one platform; the exit status."""
    _check_options(options)
    exports: Path = options.out / "exports"
    results = _results(options.out)
    students, written = f"{len(results)} student{'s' * (len(results) != 1)}", len(results)
    remarks: list[str] = []
    if options.to in _DIALECTS:
        files, written, remarks = _gradebook(options, list(results.values()))
        students = f"{written} of {students} got points"
    else:
        files = _files(options, results)
    for name, content in files.items():
        path = exports / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    for remark in remarks:
        print(remark)
    where = exports / next(iter(files)) if len(files) == 1 else (exports / next(iter(files))).parent
    print(f"{students}: {where}")
    return FAULTY if written == 0 else DONE


def _check_options(options: argparse.Namespace) -> None:
    """An option that the platform has no use for is a mistake."""
    for name, platforms in (("template", _DIALECTS), ("column", _DIALECTS), ("visibility", ("gradescope",))):
        if getattr(options, name) and options.to not in platforms:
            raise Unusable(f"--{name} is for --to {' or '.join(platforms)}, not for {options.to}.")


def _results(out: Path) -> dict[str, StudentResult]:
    """The results in a folder of reports, by the student's folder, ordered by student."""
    found = {path.parent.name: read_report(path) for path in out.glob("*/report.json")}
    broken = sorted(name for name, result in found.items() if result is None)
    if broken:
        raise Unusable(f"{out / broken[0] / 'report.json'} cannot be read; grade that student again.")
    results = {name: result for name, result in found.items() if result is not None}
    if not results:
        raise Unusable(f"there are no reports in {out}; `grader grade` makes them.")
    return dict(sorted(results.items(), key=lambda item: (item[1].student.casefold(), item[1].student)))


def _files(options: argparse.Namespace, results: Mapping[str, StudentResult]) -> dict[str, str | bytes]:
    """What is to be written of a run as it is, by its path in the folder of exports."""
    platform: str = options.to
    if platform == "csv":
        return {"laws.csv": laws_csv(list(results.values()))}
    if platform == "junit":
        return {f"junit/{name}.xml": junit_xml(result) for name, result in results.items()}
    if platform == "github":
        return {f"github/{name}.json": classroom_json(_laws(result)) for name, result in results.items()}
    names = {law.name for result in results.values() for _, law in _laws(result)}
    visibility = visibilities(options.visibility, names)
    return {
        "gradescope/autograder.zip": autograder_zip(options.isolation, options.visibility),
        **{f"gradescope/{name}.json": results_json(result, visibility) for name, result in results.items()},
    }


def _laws(result: StudentResult) -> list[tuple[str, LawResult]]:
    return [(id, law) for id, exercise in result.exercises.items() for law in exercise.tests]


def _gradebook(
    options: argparse.Namespace, results: list[StudentResult]
) -> tuple[dict[str, str | bytes], int, list[str]]:
    """The template with points in it, how many students got any, and what is to be said of the others."""
    if options.template is None:
        raise Unusable(f"--to {options.to} needs --template FILE: an export of the course's own gradebook.")
    chosen = {}
    for option in options.column:
        what, equals, header = option.partition("=")
        if what not in (TOTAL, FINAL, *EXERCISES) or not equals:
            raise Unusable(f"--column {option}: write ex1=HEADER … ex5=HEADER, total=HEADER or final=HEADER.")
        chosen[what] = header
    keeps = _kept_when_late(options.out)
    if FINAL in chosen and not keeps:
        raise Unusable("--column final=HEADER: there is no late policy; `grader late OUT --due TIME` sets one.")
    try:
        table = Table.parse(options.template.read_bytes())
        written, remarks = fill(table, _DIALECTS[options.to], results, chosen, keeps)
    except (NoSuchColumn, NotATable) as error:
        raise Unusable(f"{options.template}: {error}") from None
    if FINAL in chosen:
        if unknown := [one_line(result.student) for result in results if result.student not in keeps]:
            remarks.append(f"the late policy does not know: {', '.join(unknown)}.")
        remarks.append(f"{one_line(chosen[FINAL])} is filled after the late policy, all other columns before it.")
    elif keeps:
        remarks.append("all points are those before the late policy; --column final=HEADER writes those after it.")
    return {f"{options.to}.csv": table.content()}, written, remarks


def _kept_when_late(out: Path) -> dict[str, float]:
    """The part of the points that the late policy of a run leaves to each student; nothing if there is none."""
    members, _ = read_class(out / "class.json") or ([], [])
    return {member.student: member.keeps for member in members if member.keeps is not None}
