"""`grader doctor` finds out by trying, and a fault is never status 0."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader import doctor
from grader.cli import main
from grader.course import ROOT
from grader.exit_status import UNUSABLE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading is isolated on Linux only")


def test_it_grades_one_submission_and_names_what_there_is(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grader.cli", "doctor", "-o", str(tmp_path / "new" / "out")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = {line[7:17].strip(): line for line in done.stdout.splitlines()}
    assert list(told) == ["Python", "torch", "cores", "memory", "reports", "temporary", "GPU", "isolation", "grading"]
    assert "the solution of ex1 has 20 of 20 points" in told["grading"]
    assert not (tmp_path / "new").exists()


def test_where_no_report_can_be_written_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not doctor._disk("reports", tmp_path).is_fault
    monkeypatch.setattr(doctor, "_LEAST_DISK", 10**18)
    assert doctor._disk("reports", tmp_path).is_fault


@pytest.mark.parametrize(
    "command", [["grade", "in", "-o", "out"], ["demo"], ["audit"], ["doctor"], ["late", "out", "--due", "2026-12-01"]]
)
def test_other_systems_are_told_where_grading_is_possible(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grader.cli.import_module", None)  # nothing that only Linux has may be imported first
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(command) == UNUSABLE
    told = capsys.readouterr()
    assert told.err == "grader: this is Windows, and grading is isolated on Linux only: a virtual machine will do.\n"
    assert not told.out
