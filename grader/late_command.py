"""The command `grader late`: another late policy for a class that is graded, without grading anything."""

import argparse
from dataclasses import replace
from pathlib import Path

from grader.exit_status import DONE, Unusable
from grader.late import late_policy
from grader.reports.class_json import Member, read_class
from grader.reports.folder import reserved
from grader.reports.kept import read_report
from grader.reports.text import one_line
from grader.reports.write import write_class
from grader.submissions.roster import Roster, read_roster


def late_command(options: argparse.Namespace) -> int:
    """Write the class's files in `options.out` anew, with the points that the policy leaves; the exit status."""
    policy = late_policy(options.due, options.grace, options.penalty, options.zone)
    roster = read_roster(options.roster) if options.roster else None
    known = read_class(options.out / "class.json")
    if known is None:
        raise Unusable(f"{options.out} holds no class that was graded: there is no class.json to be read")
    members = [_with_time_of(member, roster) for member in known[0]]
    with reserved(options.out):
        results = [read_report(options.out / member.folder / "report.json") for member in members]
        told = write_class([each.brief() for each in results if each], members, options.out, known[1], policy)
    for sentence in told:
        print(one_line(sentence))
    print(f"Grades: {Path(options.out) / 'grades.csv'}")
    return DONE


def _with_time_of(member: Member, roster: Roster | None) -> Member:
    """A time that the roster gives counts for more than any other."""
    line = roster.students.get(member.student) if roster else None
    return replace(member, submitted=line.submitted) if line and line.submitted else member
