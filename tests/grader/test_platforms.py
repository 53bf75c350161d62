"""Bulk downloads of learning platforms, and rosters: each file finds its student, and no one gets another's."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from grader.exit_status import Unusable
from grader.submissions.arrivals import Arrival, locate
from grader.submissions.find import Submission, read
from grader.submissions.platforms import Submitted, nbgrader_time
from grader.submissions.roster import Roster, read_roster

EX1, EX2 = "ex1_positional_encoding.py", "ex2_attention.py"
ROSTER = """id,name,email,aliases,submitted
ada,"Lovelace, Ada",al@uni.example,34093,
bob,Bob van der Berg,,,2026-11-30T12:00+01:00
cy,Cy Young,cy.young@uni.example,"x1|x2",
"""

Put = Callable[..., Path]


def roster(tmp_path: Path, text: str | bytes = ROSTER) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_roster(path)


def submissions(folder: Path, known: Roster | None = None) -> dict[str, Submission]:
    return {arrival.student: read(arrival) for arrival in locate(folder, known)[0]}


CANVAS = (
    f"lovelaceada_34093_208490_{EX1}",
    "lovelaceada_34093_208491_ex2_attention-1.py",
    f"vanderbergbob_LATE_41000_208600_{EX2}",
)
MOODLE_FOLDERS = (f"Ada Lovelace_34093_assignsubmission_file_/{EX2}", f"Bob van der Berg_7_assignsubmission_file/{EX2}")
MOODLE_FILES = (f"Ada Lovelace_34093_assignsubmission_file_{EX2}", f"Bob van der Berg_7_assignsubmission_file_{EX2}")
BLACKBOARD = (
    f"Homework_2_ada_attempt_2026-11-29-10-00-00_{EX2}",
    "Homework_2_ada_attempt_2026-11-29-10-00-00.txt",
    f"Homework_2_bob_attempt_2026-11-30-23-59-10_{EX2}",
)


@pytest.mark.parametrize(
    ("files", "unlisted"),
    [
        (CANVAS, {"lovelaceada_34093", "vanderbergbob_41000"}),
        (MOODLE_FOLDERS, {"Ada Lovelace_34093", "Bob van der Berg_7"}),
        (MOODLE_FILES, {"Ada Lovelace_34093", "Bob van der Berg_7"}),
        (BLACKBOARD, {"ada", "bob"}),
    ],
    ids=["canvas", "moodle folders", "moodle files", "blackboard"],
)
def test_a_bulk_download_maps_to_students(tmp_path: Path, put: Put, files: tuple[str, ...], unlisted: set[str]) -> None:
    """By the platform's own names, and with a roster by its ids; who sent nothing is listed too."""
    for file in files:
        put(tmp_path / "in" / file, f"name = {file!r}\n")
    found = submissions(tmp_path / "in")
    assert set(found) == unlisted
    assert all("ex2" in submission.sources for submission in found.values())
    listed = submissions(tmp_path / "in", roster(tmp_path))
    assert list(listed) == ["ada", "bob", "cy"]
    assert "ada" in listed["ada"].sources["ex2"].lower()
    assert "bob" in listed["bob"].sources["ex2"].lower()
    assert listed["cy"].notes == ("nothing was sent",)
    assert not listed["cy"].sources


def test_a_zip_in_a_bulk_download_is_read(tmp_path: Path, put_zip: Put) -> None:
    put_zip(tmp_path / "lovelaceada_34093_208490_work.zip", {f"work/{EX2}": "a = 1\n"})
    put_zip(tmp_path / "Bob_7_assignsubmission_file_" / "work.zip", {f"work/{EX2}": "b = 1\n"})
    found = submissions(tmp_path)
    assert {student: one.sources for student, one in found.items()} == {
        "lovelaceada_34093": {"ex2": "a = 1\n"},
        "Bob_7": {"ex2": "b = 1\n"},
    }


def test_canvas_s_mark_of_lateness_is_told(tmp_path: Path, put: Put) -> None:
    put(tmp_path / CANVAS[2])
    assert submissions(tmp_path)["vanderbergbob_41000"].notes == ("Canvas marks this submission as late",)


def test_of_several_attempts_the_last_counts(tmp_path: Path, put: Put) -> None:
    put(tmp_path / f"HW_ada_attempt_2026-11-28-10-00-00_{EX1}", "first = 1\n")
    put(tmp_path / f"HW_ada_attempt_2026-11-29-10-00-00_{EX2}", "second = 1\n")
    (submission,) = submissions(tmp_path).values()
    assert submission.sources == {"ex2": "second = 1\n"}
    assert submission.notes[0].startswith("sent more than once: HW_ada_attempt_2026-11-29")
    assert submission.submitted == Submitted(datetime(2026, 11, 29, 10), "the name that Blackboard gave")


def test_users_with_one_last_word_are_not_taken_for_one(tmp_path: Path, put: Put) -> None:
    for user in ("j_smith", "k_smith"):
        put(tmp_path / f"HW_{user}_attempt_2026-11-28-10-00-00_{EX2}", f"{user} = 1\n")
    assert {name: one.sources["ex2"] for name, one in submissions(tmp_path).items()} == {
        "HW_j_smith": "j_smith = 1\n",
        "HW_k_smith": "k_smith = 1\n",
    }
    listed = submissions(tmp_path, roster(tmp_path, "id\nj_smith\nk_smith\n"))
    assert {name: one.sources["ex2"] for name, one in listed.items()} == {
        "j_smith": "j_smith = 1\n",
        "k_smith": "k_smith = 1\n",
    }


T1, T2 = "2026-12-05-10-00-00", "2027-01-01-00-00-00"


@pytest.mark.parametrize(
    ("mine", "theirs", "students", "time"),
    [
        (
            f"HW2_alovelace_attempt_{T1}_x_ghopper_attempt_{T2}_{EX2}",
            f"HW2_ghopper_attempt_{T1}_{EX2}",
            ["alovelace", "ghopper"],
            datetime(2026, 12, 5, 10),
        ),
        (
            f"HW2_alovelace_attempt_{T1}_alovelace_attempt_2026-11-01-10-00-00_{EX2}",
            f"HW2_ghopper_attempt_{T1}_{EX2}",
            ["alovelace", "ghopper"],
            datetime(2026, 12, 5, 10),
        ),
        (
            f"HW2_alovelace_attempt_{T1}_3409_assignsubmission_file_34094_20849_{EX2}",
            f"HW2_ghopper_attempt_{T1}_{EX2}",
            ["alovelace", "ghopper"],
            datetime(2026, 12, 5, 10),
        ),
        *(
            (
                f"lovelaceada_34093_208490_{own}_{EX2}",
                f"hoppergrace_34094_208491_{EX2}",
                ["lovelaceada_34093", "hoppergrace_34094"],
                None,
            )
            for own in (
                f"x_ghopper_attempt_{T2}",
                "x_34094_assignsubmission_file",
                "assignsubmission_file",
                "hoppergrace_34094_208491",
            )
        ),
        *(
            (
                f"Ada Lovelace_34093_assignsubmission_file_{own}_{EX2}",
                f"Grace Hopper_34094_assignsubmission_file_{EX2}",
                ["Ada Lovelace_34093", "Grace Hopper_34094"],
                None,
            )
            for own in (
                "Grace Hopper_34094_assignsubmission_file",
                f"HW_ghopper_attempt_{T2}",
                "hoppergrace_34094_208491",
            )
        ),
    ],
)
def test_a_student_s_own_name_for_a_file_decides_nothing(
    tmp_path: Path, put: Put, mine: str, theirs: str, students: list[str], time: datetime | None
) -> None:
    """What the platform wrote in front tells who sent it and when, whatever the rest looks like."""
    put(tmp_path / "in" / mine, "mine = 1\n")
    put(tmp_path / "in" / theirs, "theirs = 1\n")
    found = {arrival.student: arrival for arrival in locate(tmp_path / "in")[0]}
    sent = {student: [part.path.name for part in arrival.parts] for student, arrival in found.items()}
    assert sent == {students[0]: [mine], students[1]: [theirs]}
    assert found[students[0]].submitted == (time and Submitted(time, "the name that Blackboard gave"))


def test_numbers_in_the_name_of_an_assignment_are_no_student(tmp_path: Path, put: Put) -> None:
    for user in ("ada", "bob"):
        put(tmp_path / f"HW_2026_101_{user}_attempt_{T1}_{EX2}")
    assert list(submissions(tmp_path)) == ["ada", "bob"]


METADATA = """submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '100'
    :email: ada@uni.example
  - :name: Bob Berg
    :sid: bob
  :created_at: 2026-11-30 23:59:10.123456789 -08:00
  :results: {tests: [{name: a}]}
submission_2:
  :submitters:
  - :name: Cy Young
    :email: cy@uni.example
"""


def test_a_gradescope_export_maps_by_its_metadata(tmp_path: Path, put: Put) -> None:
    put(tmp_path / "submission_metadata.yml", METADATA)
    for number in (1, 2, 3):
        put(tmp_path / f"submission_{number}" / EX2, f"x = {number}\n")
    found = submissions(tmp_path)
    assert {name: one.sources["ex2"] for name, one in found.items()} == {
        "100": "x = 1\n",
        "bob": "x = 1\n",
        "cy@uni.example": "x = 2\n",
        "submission_3": "x = 3\n",
    }
    assert found["bob"].notes == ("handed in together with 100",)
    assert found["100"].submitted is not None
    assert found["100"].submitted.time.astimezone(UTC).isoformat() == "2026-12-01T07:59:10.123456+00:00"


def test_metadata_of_another_kind_is_one_sentence(tmp_path: Path, put: Put) -> None:
    put(tmp_path / "ada" / EX2)
    for text in ("- a\n", "a: 1\n", "a: [\n", "!!python/object/apply:os.system ['true']\n"):
        put(tmp_path / "submission_metadata.yml", text)
        with pytest.raises(Unusable, match="is not the metadata of a Gradescope export"):
            locate(tmp_path)


# Rosters


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfid;name\r\nada;Ada Lovelace\r\n\r\n",
        "\ufeffID\tFull name\nada\tLovelace, Ada\n".encode("utf-16-le"),
        b"\n Student ID ,First name,Surname\n ada ,Ada,Lovelace\n",
        b'"E-mail","Username"\n"ada.lovelace@uni.example","ada"\n',
    ],
    ids=["BOM and semicolons", "UTF-16 and tabs", "blanks, two names", "quoted, other order"],
)
def test_rosters_are_read_as_spreadsheets_write_them(tmp_path: Path, text: bytes) -> None:
    known = roster(tmp_path, text)
    assert list(known.students) == ["ada"]
    assert "ada" in (known.by_name(["nobody", "lovelaceada"]), known.by_id(["nobody", "ada.lovelace"]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "needs a first line that names its columns, one of them `id`"),
        ("ada\nbob\n", "needs a first line"),
        ("id\n", "lists no one"),
        ("id\nada\nada\n", "lists ada twice"),
        ("id,name\n,Ada\n", "has no id in line 2"),
        (b"id\n\xff\n", "is not valid UTF-8 at byte 3"),
        ("id,submitted\nada,yesterday\n", "line 2: 'yesterday' is no time like"),
    ],
)
def test_an_unusable_roster_is_one_sentence(tmp_path: Path, text: str | bytes, words: str) -> None:
    with pytest.raises(Unusable, match=words):
        roster(tmp_path, text)


def test_a_folder_is_found_by_any_name_of_its_student(tmp_path: Path, put: Put) -> None:
    known = roster(tmp_path)
    for index, name in enumerate(("ada", "ADA", "al@uni.example", "al", "34093", "Ada Lovelace", "Lovelace Ada")):
        put(tmp_path / str(index) / name / EX2)
        assert {student for student, one in submissions(tmp_path / str(index), known).items() if one.sources} == {"ada"}


def test_who_is_not_in_the_roster_is_graded_and_told(tmp_path: Path, put: Put) -> None:
    put(tmp_path / "in" / "eve" / EX2)
    found = submissions(tmp_path / "in", roster(tmp_path))
    assert found["eve"].sources
    assert found["eve"].notes == ("not in the roster",)


def test_two_of_one_name_are_never_taken_for_one(tmp_path: Path, put: Put) -> None:
    """Canvas tells two students of one name apart by their numbers; the name alone is then no evidence."""
    for number in (111, 222):
        put(tmp_path / "in" / f"youngcy_{number}_9000_{EX2}", f"x = {number}\n")
    arrivals, notes = locate(tmp_path / "in", roster(tmp_path))
    sent = [arrival.student for arrival in arrivals if arrival.parts]
    assert sent == ["youngcy_111", "youngcy_222"]
    assert notes[0].startswith("youngcy_111 and youngcy_222 may be cy of the roster, but so may others")
    settled = roster(tmp_path, ROSTER.replace('"x1|x2"', "222"))
    assert submissions(tmp_path / "in", settled)["cy"].sources == {"ex2": "x = 222\n"}


# When it came


def test_times_come_from_the_roster_then_the_platform_then_the_files(tmp_path: Path, put: Put, put_zip: Put) -> None:
    put(tmp_path / "in" / f"HW_bob_attempt_2026-11-28-10-00-00_{EX2}")
    put(tmp_path / "in" / f"HW_ada_attempt_2026-11-28-10-00-00_{EX2}")
    put_zip(tmp_path / "in" / "cy.zip", {EX2: "x = 1\n"})
    put(tmp_path / "in" / "dan" / EX2)
    times = {name: one.submitted for name, one in submissions(tmp_path / "in", roster(tmp_path)).items()}
    assert times["bob"] == Submitted(datetime(2026, 11, 30, 12, tzinfo=timezone(timedelta(hours=1))), "the roster")
    assert times["ada"] == Submitted(datetime(2026, 11, 28, 10), "the name that Blackboard gave")
    assert times["cy"] is not None
    assert times["cy"].time.tzinfo is None, "a plain zip names no zone"
    assert times["dan"] is not None
    assert times["dan"].time.tzinfo is UTC
    assert times["dan"].source == "the files' own times"


def changed(path: Path, time: datetime) -> None:
    """Set when a file was last changed."""
    os.utime(path, (time.timestamp(),) * 2)


def test_only_files_of_the_graded_exercises_tell_the_time(tmp_path: Path, put: Put) -> None:
    """Who hands in ex3 late has not handed in ex2 late."""
    in_time, late = datetime(2026, 11, 28, tzinfo=UTC), datetime(2026, 12, 5, tzinfo=UTC)
    changed(put(tmp_path / "ada" / EX2), in_time)
    changed(put(tmp_path / "ada" / "ex3_multi_head_attention.py"), late)
    (arrival,) = locate(tmp_path)[0]
    for graded, time in ((["ex2"], in_time), (["ex3"], late), (["ex2", "ex3"], late)):
        assert read(arrival, graded).submitted == Submitted(time, "the files' own times")
    assert read(arrival, ["ex1"]).submitted is None
    assert set(read(arrival, ["ex2"]).sources) == {"ex2", "ex3"}, "later exercises may be graded on the student's own"


def test_nbgrader_s_own_time_counts_for_the_notebook_beside_it(tmp_path: Path, put: Put) -> None:
    for name in ("ex2_attention", "ex3_multi_head_attention"):
        changed(put(tmp_path / "ada" / name / f"{name}.ipynb", '{"cells": []}'), datetime(2026, 12, 5, tzinfo=UTC))
    put(tmp_path / "ada" / "ex2_attention" / "timestamp.txt", "\ufeff2026-11-28 12:00:00.25 UTC\r\n")
    put(tmp_path / "ada" / "ex3_multi_head_attention" / "timestamp.txt", "yesterday")
    (arrival,) = locate(tmp_path)[0]
    expected = Submitted(datetime(2026, 11, 28, 12, 0, 0, 250_000, tzinfo=UTC), "nbgrader's timestamp.txt")
    assert read(arrival, ["ex2"]).submitted == expected
    unread = Submitted(datetime(2026, 12, 5, tzinfo=UTC), "the files' own times")
    assert read(arrival, ["ex3"]).submitted == read(arrival).submitted == unread


def test_a_timestamp_elsewhere_is_not_nbgrader_s(tmp_path: Path, put: Put) -> None:
    """Beside a module, or deeper in what a student sent."""
    put(tmp_path / "ada" / "timestamp.txt", "2020-01-01 12:00:00 UTC")
    put(tmp_path / "ada" / "work" / "ex2_attention" / "timestamp.txt", "2020-01-01 12:00:00 UTC")
    put(tmp_path / "ada" / EX1)
    put(tmp_path / "ada" / "work" / "ex2_attention" / "ex2_attention.ipynb", '{"cells": []}')
    told = submissions(tmp_path)["ada"].submitted
    assert told is not None
    assert told.source == "the files' own times"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-28 12:00:00.250000 UTC", datetime(2026, 11, 28, 12, 0, 0, 250_000, tzinfo=UTC)),
        ("2026-11-28 12:00:00", datetime(2026, 11, 28, 12, tzinfo=UTC)),
        ("2026-11-28T12:00:00Z\n", datetime(2026, 11, 28, 12, tzinfo=UTC)),
        ("2026-11-28 13:00:00 +0100", datetime(2026, 11, 28, 12, tzinfo=UTC)),
        ("2026-11-28 13:00:00 CET", datetime(2026, 11, 28, 12, tzinfo=UTC)),
        ("2026-07-28 14:00:00 Europe/Berlin", datetime(2026, 7, 28, 12, tzinfo=UTC)),
        *((text, None) for text in ("", "soon", "2026-11-28 12:00:00 Mars/Base", "2026-11-28 12:00:00 ../etc")),
        *((text, None) for text in ("0001-01-01 00:00:00 UTC", "9999-12-31 23:59:59 UTC", "a b c d", "\0 \0 A\0")),
    ],
)
def test_timestamps_are_read_as_nbgrader_reads_them(text: str, time: datetime | None) -> None:
    assert nbgrader_time(text) == time


def test_who_sent_nothing_has_no_time() -> None:
    assert read(Arrival("ada")).submitted is None
