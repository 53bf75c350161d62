"""`grader export`: reports in, files for another platform out, in `OUT/exports/`."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from grader.course import EXERCISES
from grader.exit_status import DONE, Unusable
from grader.export.gradebook import CANVAS, MOODLE, TOTAL, NoSuchColumn, fill
from grader.export.gradescope import autograder_zip, results_json, visibilities
from grader.export.junit import junit_xml
from grader.export.laws_csv import laws_csv
from grader.export.table import NotATable, Table
from grader.laws.classroom import classroom_json
from grader.reports.files import write_whole
from grader.reports.kept import read_report
from grader.results import LawResult, StudentResult

_DIALECTS = {"canvas": CANVAS, "moodle": MOODLE}


def export_command(options: argparse.Namespace) -> int:
    """Write the results of a run for one platform; the exit status."""
    exports: Path = options.out / "exports"
    results = _results(options.out)
    files, remarks = _files(options, results)
    for name, content in files.items():
        path = exports / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    for remark in remarks:
        print(remark)
    where = exports / next(iter(files)) if len(files) == 1 else (exports / next(iter(files))).parent
    print(f"{len(results)} student{'s' * (len(results) != 1)}: {where}")
    return DONE


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


def _files(
    options: argparse.Namespace, results: Mapping[str, StudentResult]
) -> tuple[dict[str, str | bytes], list[str]]:
    """What is to be written, by its path in the folder of exports, and sentences about it."""
    platform: str = options.to
    if platform in _DIALECTS:
        return _gradebook(options, list(results.values()))
    if platform == "csv":
        return {"laws.csv": laws_csv(list(results.values()))}, []
    if platform == "junit":
        return {f"junit/{name}.xml": junit_xml(result) for name, result in results.items()}, []
    if platform == "github":
        return {f"github/{name}.json": classroom_json(_laws(result)) for name, result in results.items()}, []
    names = {law.name for result in results.values() for _, law in _laws(result)}
    visibility = visibilities(options.visibility, names)
    return {
        "gradescope/autograder.zip": autograder_zip(options.isolation, options.visibility),
        **{f"gradescope/{name}.json": results_json(result, visibility) for name, result in results.items()},
    }, []


def _laws(result: StudentResult) -> list[tuple[str, LawResult]]:
    return [(id, law) for id, exercise in result.exercises.items() for law in exercise.tests]


def _gradebook(options: argparse.Namespace, results: list[StudentResult]) -> tuple[dict[str, str | bytes], list[str]]:
    if options.template is None:
        raise Unusable(f"--to {options.to} needs --template FILE: an export of the course's own gradebook.")
    chosen = {}
    for option in options.column:
        what, equals, header = option.partition("=")
        if what not in (TOTAL, *EXERCISES) or not equals:
            raise Unusable(f"--column {option}: write ex1=HEADER … ex5=HEADER, or total=HEADER.")
        chosen[what] = header
    try:
        table = Table.parse(options.template.read_bytes())
        remarks = fill(table, _DIALECTS[options.to], results, chosen)
    except (NoSuchColumn, NotATable) as error:
        raise Unusable(f"{options.template}: {error}") from None
    return {f"{options.to}.csv": table.content()}, remarks
