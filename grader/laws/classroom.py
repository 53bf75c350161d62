"""Points as the reporter of GitHub Classroom reads them (`classroom-resources/autograding-grading-reporter`).

The reporter gets this text, base64-encoded, in an environment variable, which Linux limits to 128 kB: messages are cut.
"""

import json
from collections.abc import Iterable

from grader.results import LawResult

VERSION = 1
MAX_MESSAGE = 300


def classroom_json(laws: Iterable[tuple[str, LawResult]]) -> str:
    """The reporter's JSON for laws with their exercise's id, which it shows as a table with a sum of points."""
    results = list(laws)
    return json.dumps(
        {
            "version": VERSION,
            "status": "pass" if all(law.status == "passed" for _, law in results) else "fail",
            "max_score": sum(law.max_score for _, law in results),
            "tests": [
                {
                    "name": f"{exercise}: {law.title}",
                    "status": "pass" if law.status == "passed" else "fail",
                    "score": law.score,
                    "message": _message(law),
                }
                for exercise, law in results
            ],
        },
        ensure_ascii=False,
    )


def _message(law: LawResult) -> str:
    """Why it failed, in short; the whole is in what pytest prints."""
    if law.status == "passed":
        return ""
    _, but, rest = law.message.partition("\nBut: ")
    text = f"{law.status.replace('_', ' ')}: {rest if but else law.message}"
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 2]} …"
