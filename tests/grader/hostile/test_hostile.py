"""Hostile submissions gain nothing, learn nothing, leave nothing, harm no one, and are told what happened."""

import csv
import re
import socket
import sys
import unicodedata
from pathlib import Path

import pytest

from tests.grader.hostile.attacks import ATTACKS, BYSTANDERS, NAMES, UNUSUAL, attacks_at
from tests.grader.hostile.conftest import Graded, has_caller, listening

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading is isolated on Linux only")

EACH_ATTACK = pytest.mark.parametrize(
    ("graded", "id"),
    [(level, attack.id) for level in ("namespaces", "landlock") for attack in attacks_at(level)],
    indirect=["graded"],
)


@EACH_ATTACK
def test_an_attack_earns_what_is_honest_and_no_more(graded: Graded, id: str) -> None:
    assert graded.passed(id) == set(ATTACKS[id].earns)


@EACH_ATTACK
def test_the_report_of_an_attack_says_plainly_what_happened(graded: Graded, id: str) -> None:
    attack = ATTACKS[id]
    for words in attack.says:
        assert words in graded.text(id)
    assert "Traceback" not in graded.text(id)
    laws = graded.reports[id]["exercises"][attack.exercise]["tests"]
    tried = [law for law in laws if law["name"] in attack.laws]
    assert all(law["message"] for law in tried if law["status"] != "passed")
    assert not any("fault of the grader" in law["message"] for law in tried)


@pytest.mark.parametrize("id", UNUSUAL)
def test_folders_and_zips_that_are_no_answer_earn_nothing_and_are_named(graded: Graded, id: str) -> None:
    assert graded.reports[id]["score"] == 0
    assert UNUSUAL[id][1] in graded.text(id)


def test_honest_submissions_fare_as_if_they_were_alone(graded: Graded, alone: Path) -> None:
    for name in BYSTANDERS:
        expected = (alone / name / "report.json").read_text(encoding="utf-8")
        expected = re.sub(r'"isolation": "\w+"', f'"isolation": "{graded.level}"', expected)
        assert (graded.out / name / "report.json").read_text(encoding="utf-8") == expected
    assert graded.reports["deaf_bystander"]["exercises"]["ex2"]["score"] == 20


def test_no_secret_gets_into_a_report(graded: Graded) -> None:
    for path in graded.out.rglob("*"):
        assert not path.is_file() or graded.secret not in path.read_text(encoding="utf-8"), path
    loot = graded.text("secret_reader")
    assert str(graded.out) not in loot
    assert "torch.tril" not in loot
    assert "forall" not in loot


def test_no_process_mount_or_file_is_left(graded: Graded) -> None:
    assert graded.processes == set()
    assert graded.mounts == set()
    assert graded.files == []


def test_nobody_was_called(graded: Graded) -> None:
    assert graded.callers == 0
    with listening("nobody") as (tcp, *_), socket.create_connection(tcp.getsockname()):
        assert has_caller(tcp)


def test_nothing_in_a_page_is_script_or_control(graded: Graded) -> None:
    for path in graded.out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert controls(text) == set(), path
        assert not re.search(r"<script|<img|onerror=(?![^<]*&gt;)", text), path
        assert "49" not in re.findall(r"bold red\]([^\[]*)\[", text), path


def test_nothing_in_the_terminal_or_the_table_is_a_command(graded: Graded) -> None:
    assert controls(graded.printed) == set()
    assert "[bold red]{{ 7*7 }}" in graded.printed
    table = (graded.out / "grades.csv").read_text(encoding="utf-8")
    assert controls(table) == set()
    rows = list(csv.reader(table.splitlines()))
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    assert len(rows) == 1 + len(graded.reports)


def test_every_name_has_a_folder_of_its_own_in_the_reports(graded: Graded) -> None:
    assert set(NAMES) <= graded.reports.keys()
    assert len([path for path in graded.out.iterdir() if path.is_dir()]) == len(graded.reports)
    assert all(graded.reports[name]["score"] == 0 for name in NAMES)


def controls(text: str) -> set[str]:
    """Characters that steer a terminal or turn the direction of writing."""
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in "\n\t\u200d"}
