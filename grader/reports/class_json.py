"""class.json: who is in the class, where each report lies, when each submission came, and which part of its marks that
leaves. The marks themselves are not in it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.submissions.platforms import Submitted

SCHEMA = 1


@dataclass(frozen=True)
class Member:
    """A student of the class, and the folder of the report.

    `keeps` is the part of the points that the late policy leaves (1 is all), None if there is no policy.
    """

    student: str
    folder: str
    submitted: Submitted | None = None
    keeps: float | None = None


def class_json(members: Sequence[Member], notes: Sequence[str]) -> str:
    """The text of class.json; `notes` concern the run."""
    value = {
        "schema": SCHEMA,
        "students": [
            {
                "student": each.student,
                "folder": each.folder,
                "submitted": each.submitted and each.submitted.time.isoformat(timespec="seconds"),
                "known_from": each.submitted and each.submitted.source,
                "keeps": each.keeps,
            }
            for each in members
        ],
        "notes": list(notes),
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def read_class(path: Path) -> tuple[list[Member], list[str]] | None:
    """What `class_json` wrote to `path`; None if there is none that this version can read."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if values["schema"] != SCHEMA:
            return None
        return [_member(each) for each in values["students"]], list(values["notes"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _member(values: dict[str, Any]) -> Member:
    time = values["submitted"]
    submitted = Submitted(datetime.fromisoformat(time), values["known_from"]) if time else None
    return Member(values["student"], values["folder"], submitted, values.get("keeps"))
