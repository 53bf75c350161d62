"""JUnit XML, for whatever shows test results: a suite per exercise, a case per law."""

from xml.etree import ElementTree

from grader.course import EXERCISES
from grader.reports.text import clean, one_line
from grader.results import ExerciseResult, LawResult, StudentResult, in_words

_ERRORS = ("error", "timeout", "out_of_memory")


def junit_xml(result: StudentResult) -> str:
    """The file of one student. Laws that were not started, or not submitted, are failures: they hold nothing."""
    root = ElementTree.Element("testsuites", name=one_line(result.student))
    for id, exercise in result.exercises.items():
        root.append(_suite(id, exercise))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(id: str, exercise: ExerciseResult) -> ElementTree.Element:
    errors = sum(law.status in _ERRORS for law in exercise.tests)
    passed = sum(law.status == "passed" for law in exercise.tests)
    failures = len(exercise.tests) - passed - errors
    suite = ElementTree.Element(
        "testsuite", name=id, tests=str(len(exercise.tests)), failures=str(failures), errors=str(errors)
    )
    for law in exercise.tests:
        suite.append(_case(EXERCISES[id].module, law))
    return suite


def _case(module: str, law: LawResult) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=module, name=law.name)
    if law.status != "passed":
        kind = "error" if law.status in _ERRORS else "failure"
        told = ElementTree.SubElement(case, kind, type=law.status, message=clean(law.title))
        told.text = clean("\n".join(part for part in (law.message, in_words(law.case, law.drawings)) if part))
    return case
