"""What learning platforms write around the files of a bulk download: whose each one is, and when it came.

Canvas       lovelaceada_LATE_34093_208490_ex2_attention.py     name, user, attachment
Moodle       Ada Lovelace_34093_assignsubmission_file_/         name, participant; or in front of a file's name
Blackboard   Homework_alovelace_attempt_2026-11-30-23-59-10_ex2_attention.py
Gradescope   submission_34093/, and who that is in submission_metadata.yml
nbgrader     ada/ex2_attention/timestamp.txt, beside the notebook
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import yaml

from grader.submissions.reading import Unreadable, read_file

GRADESCOPE_METADATA = "submission_metadata.yml"
# It holds the results of Gradescope's own tests, too.
_METADATA_LIMIT = 64_000_000
# The platform's part stands in front of the student's own name for the file, which may look like another such part.
_CANVAS = re.compile(r"(?P<mark>(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d{3,})_\d{3,})_(?P<file>.+)")
_MOODLE = re.compile(r"(?P<mark>(?P<name>.+?)_(?P<user>\d+)_assignsubmission_[a-z]+)(?:_(?P<file>.*))?")
_BLACKBOARD = re.compile(r"(?P<mark>(?P<stem>.+?)_attempt_(?P<time>\d{4}(?:-\d\d){5}))(?:_(?P<file>.+)|\.txt)")


@dataclass(frozen=True)
class Submitted:
    """When something came, and how that is known; without a zone where the source names none."""

    time: datetime
    source: str


@dataclass(frozen=True)
class Sender:
    """Whom a name stands for. `key` differs for any two students, `called` is what a roster may call this one.

    `file` is the name that the student gave, empty for a folder; of several attempts the last by `attempt` counts.
    """

    key: str
    called: tuple[str, ...]
    platform: str = ""
    file: str = ""
    attempt: str = ""
    submitted: Submitted | None = None
    notes: tuple[str, ...] = ()


def senders_by_name(folders: Iterable[str], files: Iterable[str]) -> dict[str, Sender]:
    """The senders of those entries of a folder that follow a platform's rule, by the entries' names."""
    found = {name: _moodle(match) for name in folders if (match := _MOODLE.fullmatch(name))}
    blackboard = {}
    matched = {
        name: [match for rule in (_BLACKBOARD, _MOODLE, _CANVAS) if (match := rule.fullmatch(name))] for name in files
    }
    # Canvas gives each file a number of its own: what several share are numbers in an assignment's name.
    marks = Counter(match["mark"] for matches in matched.values() for match in matches if match.re is _CANVAS)
    for name, matches in matched.items():
        if len(matches) > 1:
            matches = [match for match in matches if match.re is not _CANVAS or marks[match["mark"]] == 1]
        # What ends first is the platform's; the rest is the student's, whatever it looks like.
        match = min(matches, key=lambda match: match.end("mark"), default=None)
        if match is None:
            continue
        if match.re is _BLACKBOARD:
            blackboard[name] = match
        else:
            found[name] = _moodle(match) if match.re is _MOODLE else _canvas(match)
    return found | _blackboard(blackboard)


def gradescope_senders(folder: Path) -> dict[str, list[Sender]]:
    """The senders of each folder of a Gradescope export: several, if they handed in together.

    Empty if `folder` is none; `Unreadable` if its metadata cannot be read.
    """
    path = folder / GRADESCOPE_METADATA
    if not path.is_file():
        return {}
    try:
        # Ten times faster than the other; not every build of the library has it.
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        entries = yaml.load(read_file(path, _METADATA_LIMIT), Loader=loader)  # a safe loader makes plain data only
        return {name: _submitters(values) for name, values in entries.items()}
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise Unreadable("is not the metadata of a Gradescope export") from None


def nbgrader_time(text: str) -> datetime | None:
    """The moment that nbgrader's timestamp.txt tells, by default as `2026-11-28 12:00:00.5 UTC`; None if it tells none.

    As nbgrader reads it, a time without a zone is one in UTC.
    """
    words = text.split()
    try:
        zone = ZoneInfo(words.pop()) if len(words) == 3 and words[2][0].isalpha() else UTC
        time = datetime.fromisoformat(" ".join(words[:2]) + "".join(words[2:]))
        # Whoever reads it writes it in other zones, for which there must be room in the calendar.
        return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC) if 1 < time.year < 9999 else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _moodle(match: re.Match[str]) -> Sender:
    student, user = match["name"], match["user"]
    return Sender(f"{student}_{user}", (user, student), "Moodle", match["file"] or "")


def _canvas(match: re.Match[str]) -> Sender:
    student, user = match["name"], match["user"]
    notes = ("Canvas marks this submission as late",) if match["late"] else ()
    return Sender(f"{student}_{user}", (user, student), "Canvas", match["file"], notes=notes)


def _blackboard(matches: Mapping[str, re.Match[str]]) -> dict[str, Sender]:
    """Assignment and user are joined by `_`, which both may hold: the last word is the user if that is no one else."""
    stems = {match["stem"] for match in matches.values()}
    words = Counter(_last_word(stem) for stem in stems)
    found = {}
    for name, match in matches.items():
        stem, user = match["stem"], _last_word(match["stem"])
        called = tuple(stem.split("_", count)[-1] for count in range(stem.count("_") + 1))
        try:
            time = datetime.strptime(match["time"], "%Y-%m-%d-%H-%M-%S")
            submitted = Submitted(time, "the name that Blackboard gave")
        except ValueError:
            submitted = None
        key = user if words[user] == 1 else stem
        # Without a name of its own it is Blackboard's note about the attempt.
        found[name] = Sender(key, called, "Blackboard", match["file"] or name, match["time"], submitted)
    return found


def _last_word(stem: str) -> str:
    return stem.rpartition("_")[2]


def _submitters(values: Mapping[str, Any]) -> list[Sender]:
    time = values.get(":created_at")
    submitted = Submitted(time, "Gradescope's metadata") if isinstance(time, datetime) else None
    keys = (":sid", ":email", ":name")
    called = [tuple(str(person[key]) for key in keys if person.get(key)) for person in values[":submitters"]]
    senders = []
    for names in filter(None, called):
        others = ", ".join(other[0] for other in called if other and other != names)
        notes = (f"handed in together with {others}",) if others else ()
        attempt = submitted.time.isoformat() if submitted else ""
        senders.append(Sender(names[0], names, "Gradescope", "", attempt, submitted, notes))
    return senders
