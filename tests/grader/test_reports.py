"""What a run leaves: the contract's keys, pages that hostile text cannot break, and files written whole."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grader.course import EXERCISES
from grader.reports.class_json import Member
from grader.reports.csv_report import grades_csv
from grader.reports.files import write_whole
from grader.reports.html import blocks, index_html, marked, report_html, with_code
from grader.reports.json_report import report_json, timings_json
from grader.reports.tally import tally
from grader.reports.terminal import class_summary
from grader.reports.text import clean, tidy
from grader.reports.write import write_class, write_student
from grader.results import (
    ExerciseResult,
    FollowThrough,
    LawResult,
    LawStatus,
    Provenance,
    StudentResult,
)

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202egnp\x1b[31m\x07\udcff{{ 7*7 }}"
DIAGNOSIS = {"id": "e2_softmax_over_queries", "title": "softmax over queries"}
CASE = "smallest sizes that fail: Tq 1, Tk 2"
WEIGHTS = {"expected": [["0.5", "0.5"]], "yours": [["0.5", "1.5"]], "difference": [["0", "1"]]}
WEIGHTS_IN_WORDS = "expected   yours      difference\n0.5  0.5   0.5  1.5   0  1"


def law(
    name: str = "rows",
    status: LawStatus = "failed",
    message: str = "",
    case: str = "",
    seconds: float = 0.1,
) -> LawResult:
    return LawResult(
        name=name,
        title=f"title of {name}",
        property="softmax rows",
        status=status,
        score=2.0 * (status == "passed"),
        max_score=2.0,
        message=message,
        case=case,
        drawings=(WEIGHTS,) if case == CASE else (),
        diagnosis=(DIAGNOSIS,) if status == "failed" else (),
        seconds=seconds,
    )


def student(
    name: str = "ada", *laws: LawResult, isolation: str = "namespaces", notes: tuple[str, ...] = ()
) -> StudentResult:
    missing = tuple(law(f"law{i}", "not_submitted") for i in range(2))
    exercises = {
        "ex2": ExerciseResult("ex2", "graded", laws or (law("a", "passed"), law("b", message="m", case=CASE))),
        "ex3": ExerciseResult("ex3", "not_submitted", missing, ("exercises/ex3.py is not valid UTF-8 at byte 3",)),
    }
    provenance = Provenance("a" * 64, "b" * 64, 0, "cpu", isolation, {"torch": "2.13.0", "python": "3.11"})
    return StudentResult(name, exercises, provenance, notes, {"ex2": 1.25})


class Tags(HTMLParser):
    """The tags, attributes and text of a page, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


# report.json


def test_report_json_has_the_contract_s_keys() -> None:
    report = json.loads(report_json(student()))
    assert list(report)[:5] == ["schema", "student", "score", "max_score", "exercises"]
    assert (report["schema"], report["student"], report["score"], report["max_score"]) == (1, "ada", 2, 8)
    ex2 = report["exercises"]["ex2"]
    assert (ex2["score"], ex2["max_score"], ex2["status"]) == (2, 4, "graded")
    assert ex2["tests"][1] == {
        "name": "b",
        "title": "title of b",
        "property": "softmax rows",
        "status": "failed",
        "score": 0,
        "max_score": 2,
        "message": "m",
        "counterexample": f"{CASE}\n{WEIGHTS_IN_WORDS}",
        "case": CASE,
        "drawings": [WEIGHTS],
        "diagnosis": [DIAGNOSIS],
        "follow_through": None,
    }
    assert report["exercises"]["ex3"]["status"] == "not_submitted"
    provenance = report["provenance"]
    assert provenance["versions"]["torch"] == "2.13.0"
    assert {"submission_sha256", "tests_sha256", "seed", "device", "isolation"} <= provenance.keys()


def test_report_json_is_the_same_whatever_it_took() -> None:
    slow, fast = student("ada", law(seconds=9.0)), student("ada", law(seconds=0.5))
    assert report_json(slow) == report_json(fast)
    assert report_html(slow) == report_html(fast)
    assert json.loads(timings_json(slow))["laws"]["ex2"]["rows"] == 9.0
    assert json.loads(timings_json(slow))["cpu_seconds"] == {"ex2": 1.25}


def test_numbers_are_whole_where_they_can_be() -> None:
    assert [repr(tidy(n)) for n in (2.0, 0.1 + 0.2, 87.5, 0)] == ["2", "0.3", "87.5", "0"]
    assert '"score": 2,' in report_json(student())


def test_any_text_survives_json(tmp_path: Path) -> None:
    write_whole(tmp_path / "report.json", report_json(student(EVIL, law(message=EVIL))))
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["student"] == EVIL
    assert report["exercises"]["ex2"]["tests"][0]["message"] == EVIL


# Pages


@pytest.mark.parametrize("page_of", ["report", "index"])
def test_hostile_text_stays_text(page_of: str) -> None:
    result = student(EVIL, law(EVIL, message=f"{EVIL}\n    {EVIL}", case=EVIL), notes=(EVIL,))
    page = report_html(result) if page_of == "report" else index_html([result], {EVIL: "evil"}, [EVIL])
    seen = Tags(page)
    assert "script" not in seen.tags
    assert "img" not in seen.tags
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in seen.text
    assert "\\u202egnp\\u001b[31m\\u0007\\udcff{{ 7*7 }}" in seen.text
    assert not set(page) & {"\u202e", "\x1b", "\x07", "\udcff"}


def test_pages_are_self_contained() -> None:
    for page in (report_html(student()), index_html([student()], {"ada": "ada"})):
        seen = Tags(page)
        assert page.startswith("<!doctype html>")
        assert "http://" not in page
        assert "https://" not in page
        assert not {"script", "iframe", "img", "object"} & set(seen.tags)
        links = [value or "" for name, value in seen.attributes if name in ("href", "src")]
        assert all(re.match(r"#|data:,$|ada/report\.html$|grades\.csv$|misconceptions\.json$", link) for link in links)
        assert "default-src 'none'" in page
        targets = {value for name, value in seen.attributes if name == "id"}
        assert {link[1:] for link in links if link.startswith("#")} <= targets


def test_a_report_says_what_happened() -> None:
    page = report_html(student("ada", law("a", "passed"), law("b", message="rows sum to 2", case=CASE)))
    text = Tags(page).text
    for words in (
        "2 of 4",
        "rows sum to 2",
        "not submitted",
        "Seed",
        "namespaces",
        "2.13.0",
    ):
        assert words in text.replace("\n", " ")
    assert CASE in text
    passed, failed = re.findall(r"<details class=\"law\"[^>]*>", page)
    assert not passed.endswith(" open>")
    assert failed.endswith(" open>")
    assert "not valid UTF-8 at byte 3" in text


def test_each_status_has_a_mark_and_a_word() -> None:
    statuses: list[LawStatus] = ["passed", "failed", "not_started", "error", "timeout", "out_of_memory"]
    page = report_html(student("ada", *(law(status, status) for status in statuses)))
    for status in statuses:
        assert f'<symbol id="{status}"' in page
        assert f'<use href="#{status}"/>' in page
        assert re.search(rf'<b class="{status}">[a-z ]+</b>', page)


def test_follow_through_is_told() -> None:
    trial = LawResult("x", "X", "p", "passed", 2, 2, follow_through=FollowThrough("failed", "passed"))
    text = " ".join(Tags(report_html(student("ada", trial))).text.split())
    assert "On your own earlier parts: failed; on the reference’s: passed – full points, the fault is counted" in text


def test_grading_without_isolation_is_not_silent() -> None:
    alone, safe = student(isolation="none"), student()
    assert "Graded without isolation" in report_html(alone)
    assert "Graded without isolation" in index_html([safe, alone], {"ada": "ada"})
    assert "without isolation" not in report_html(safe) + index_html([safe], {"ada": "ada"})


def test_links_lead_to_odd_folders() -> None:
    page = index_html([student("Zoe [2] +a?#%")], {"Zoe [2] +a?#%": "Zoe [2] +a_#%-12345678"})
    assert 'href="Zoe%20%5B2%5D%20%2Ba_%23%25-12345678/report.html"' in page


def test_an_empty_class_and_notes_have_a_page() -> None:
    assert "0 students" in index_html([], {}, ["notes.txt is a file"])
    assert "Notes on submissions" not in index_html([], {})
    assert "notes.txt is a file" in index_html([], {}, ["notes.txt is a file"])


def test_messages_keep_their_columns_and_prose_may_wrap() -> None:
    assert [block.aligned for block in blocks("a sentence\nand more\n    code\nanother sentence")] == [
        False,
        True,
        False,
    ]


def test_code_in_backticks_is_set_as_code() -> None:
    assert with_code("use `reshape` or `<b>`") == "use <code>reshape</code> or <code>&lt;b&gt;</code>"
    assert with_code("a lone ` or ``, <i>") == "a lone ` or ``, &lt;i&gt;"
    page = report_html(student("ada", law("a", message="Look at: `view`.")))
    assert "Look at: <code>view</code>." in page


def test_wrong_cells_of_a_comparison_are_marked_by_their_direction() -> None:
    exact = {"expected": [["T", "."]], "yours": [["T", "T"]]}
    assert marked(WEIGHTS)["yours"] == [[("0.5", ""), ("1.5", "more")]]
    assert marked({**WEIGHTS, "difference": [["-2", "0"]]})["yours"] == [[("0.5", "less"), ("1.5", "")]]
    assert marked(exact)["yours"] == [[("T", ""), ("T", "other")]]
    assert marked({"weights": [["1"]]}) == {"weights": [[("1", "")]]}


def test_control_characters_are_shown() -> None:
    assert clean("a\tb\nc\r\nd") == "a\tb\nc\nd"
    assert (
        clean("\x1b[2J\x9b\u2066\u200b👩\u200d🔬 é 山田\u3000太郎")
        == "\\u001b[2J\\u009b\\u2066\\u200b👩\u200d🔬 é 山田\u3000太郎"
    )


# The class


def test_the_hardest_law_comes_first() -> None:
    results = [
        student("a", law("easy", "passed"), law("hard")),
        student("b", law("easy", "passed"), law("hard", "error")),
    ]
    numbers = tally(results)
    assert [(entry.name, entry.passed, entry.tried) for entry in numbers.laws[-1:]] == [("easy", 2, 2)]
    hard = next(entry for entry in numbers.laws if entry.name == "hard")
    assert (hard.passed, hard.tried, hard.counts["failed"], hard.counts["error"]) == (0, 2, 1, 1)
    assert (numbers.mean, numbers.median, numbers.students, sum(numbers.histogram)) == (2, 2, 2, 2)


def test_grades_csv_has_the_contract_s_header() -> None:
    rows = list(csv.reader(io.StringIO(grades_csv([student()]))))
    assert rows[0][:8] == ["student", "total", "max", *EXERCISES]
    assert rows[1][:8] == ["ada", "2", "8", "", "2", "0", "", ""]
    assert rows[1][8:] == ["", "graded", "not_submitted", "", ""]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1"])
def test_names_are_no_formulas(name: str) -> None:
    (row,) = list(csv.DictReader(io.StringIO(grades_csv([student(name)]))))
    assert not row["student"].lstrip(" ").startswith(tuple("=+-@\t＝"))


def test_odd_names_are_one_row_each() -> None:
    names = ['a,"b"', "a\nb", "李雷", "a;b", "a\rb"]
    text = grades_csv([student(name) for name in names])
    assert len(text.splitlines()) == len(names) + 1
    shown = [row["student"] for row in csv.DictReader(io.StringIO(text))]
    assert shown == ['a,"b"', "a\\nb", "李雷", "a;b", "a\\u000db"]


def test_what_is_noted_of_many_stands_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    many = [replace(student(f"s{i:02}"), notes=("nothing was sent",), exercises={}) for i in range(30)]
    class_summary([*many, student("zoe")], tmp_path, [f"x{i} is not in the roster" for i in range(30)])
    remarks = [line for line in capsys.readouterr().out.splitlines() if line.startswith("!")]
    assert remarks[-3:] == [
        "! and 10 more of this kind",
        "! s00, s01, s02, s03, s04 and 25 more: nothing was sent",
        "! zoe: exercises/ex3.py is not valid UTF-8 at byte 3",
    ]


def test_the_terminal_shows_names_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    class_summary([student("[red]ada[/red] :smile: \x1b[2J"), student("b" * 80)], tmp_path)
    shown = capsys.readouterr().out
    assert "[red]ada[/red] :smile: " in shown
    assert "\x1b" not in shown
    assert "2 students: mean 2, median 2 of 8" in shown
    assert "! [red]ada[/red] :smile: \\u001b[2J, bbb" in shown
    assert str(tmp_path / "index.html") in shown


# Files


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.json"
    write_whole(target, "good\n")

    def disk_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", disk_full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, "bad\n")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert target.read_bytes() == b"good\n"


def test_a_run_leaves_what_the_contract_lists(tmp_path: Path) -> None:
    write_student(student(), tmp_path / "ada")
    write_class([student()], [Member("ada", "ada")], tmp_path)
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert left == [
        *("ada/report.html", "ada/report.json", "ada/timings.json"),
        *("class.json", "grades.csv", "index.html", "misconceptions.json"),
    ]


def test_the_class_s_misconceptions_are_counted(tmp_path: Path) -> None:
    names = ("ada", "bo", "cy")
    class_ = [student("ada"), student("bo", law("a", "passed")), student("cy")]
    write_class(class_, [Member(name, name) for name in names], tmp_path)
    told = json.loads((tmp_path / "misconceptions.json").read_text(encoding="utf-8"))
    assert told["students"] == 3
    assert told["misconceptions"] == [{**DIAGNOSIS, "exercise": "ex2", "count": 2, "students": ["ada", "cy"]}]
    page = Tags(index_html([student("ada")], {"ada": "ada"})).text
    assert DIAGNOSIS["title"] in page
