"""What a long run costs, and what kills leave of it. Run by hand:

    python tests/benchmarks/endurance.py many [--count 1000] [--exercise ex2]
    python tests/benchmarks/endurance.py killed [--count 60] [--kills 20] [--exercise ex1]

`many` grades a generated class in one run: right answers, wrong ones of the bank, and 5 % that attack. It prints
submissions per minute, the memory of all processes together in each tenth of the run, what is left of processes and
files, and every score that is not as it must be. `killed` grades a class once in peace and once with `kill -9` at
random moments, the run started again each time, and compares all that both leave, byte by byte; timings.json, which
holds seconds, is left out.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.bank import entries
from grader.course import EXERCISES, ROOT, SOLUTIONS, Exercise

ATTACKS = {
    "ends": "import os\nos._exit(0)\n",
    "loops": "while True:\n    pass\n",
    "floods": "while True:\n    print('x' * 100_000)\n",
    "hoards": "kept = []\nwhile True:\n    kept.append(bytearray(50_000_000))\n",
    "forks": "import os\nwhile True:\n    os.fork()\n",
    "writes": "open('/tmp/left-by-a-submission', 'w').write('x' * 1000)\n",
    "kills": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(-1, signal.SIGKILL)\n",
}


@dataclass(frozen=True)
class Answer:
    """A submission of which it is known how it has to fare: one of `laws` fails, none but those of `touched` do."""

    kind: str
    source: str
    laws: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    is_attack: bool = False
    """It earns nothing."""


def known_answers(exercise: Exercise) -> dict[str, list[Answer]]:
    solution = (SOLUTIONS / exercise.filename).read_text(encoding="utf-8")
    return {
        "right": [Answer("right", solution), *(Answer(e.id, e.source) for e in entries("right", exercise))],
        "wrong": [
            Answer(e.id, e.source, frozenset(e.laws), frozenset(e.laws + e.also)) for e in entries("wrong", exercise)
        ],
        "hostile": [Answer(name, attack + solution, is_attack=True) for name, attack in ATTACKS.items()],
    }


def make_class(folder: Path, exercise: Exercise, count: int, hostile: float) -> dict[str, Answer]:
    """`count` submissions in `folder`, by their student's name."""
    draw = random.Random(0)
    known = known_answers(exercise)
    made = {}
    for number in range(count):
        kind = draw.choices(["right", "wrong", "hostile"], [0.6 - hostile, 0.4, hostile])[0]
        answer = draw.choice(known[kind])
        student = f"s{number:04}"
        (folder / student).mkdir(parents=True)
        (folder / student / exercise.filename).write_text(answer.source, encoding="utf-8")
        made[student] = answer
    return made


def processes(out: Path) -> list[int]:
    """Run, judges, zygote and workers: all have the folder of reports in their command line."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if os.fsencode(out) in file.read_bytes():
                found.append(int(file.parent.name))
    return found


def megabytes(out: Path) -> float:
    """The memory of all these processes, what they share counted once."""
    total = 0
    for pid in processes(out):
        with suppress(OSError, StopIteration):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1000


def start(base: Path, out: Path, exercise: Exercise) -> subprocess.Popen[str]:
    (base / "tmp").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "grader.cli", "grade", str(base / "class"), "-o", str(out)]
    environment = {**os.environ, "TMPDIR": str(base / "tmp"), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [*command, "--exercise", exercise.id], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, text=True
    )


def finished(out: Path) -> int:
    return sum(1 for _ in out.glob("*/report.json"))


def left_over(base: Path, out: Path) -> list[str]:
    """What a run that has ended must not leave: processes, temporary files, half-written ones."""
    deadline = time.monotonic() + 5
    while (living := processes(out)) and time.monotonic() < deadline:
        time.sleep(0.05)
    files = [*(base / "tmp").iterdir(), *out.rglob(".*"), *Path("/tmp").glob("left-by-a-submission")]
    return [*(f"process {pid}" for pid in living), *map(str, files)]


def wrong_scores(out: Path, made: dict[str, Answer], exercise: Exercise) -> list[str]:
    wrong = []
    for student, answer in made.items():
        report = json.loads((out / student / "report.json").read_text(encoding="utf-8"))
        laws = report["exercises"][exercise.id]["tests"]
        failed = {law["name"] for law in laws if law["status"] != "passed"}
        named = bool(failed & answer.laws) or not answer.laws
        is_right = report["score"] == 0 if answer.is_attack else named and failed <= answer.touched
        if not is_right:
            wrong.append(f"{student} ({answer.kind}): {report['score']} points")
    return wrong


def many(base: Path, count: int, exercise: Exercise) -> None:
    made = make_class(base / "class", exercise, count, hostile=0.05)
    out = base / "out"
    peaks = [0.0] * 10
    started = time.monotonic()
    with start(base, out, exercise) as run:
        while run.poll() is None:
            tenth = min(9, 10 * finished(out) // count)
            peaks[tenth] = max(peaks[tenth], megabytes(out))
            time.sleep(0.5)
    seconds = time.monotonic() - started
    print(f"{count} submissions of {exercise.id}: {seconds:.0f} s, status {run.returncode}")
    print(f"a minute: {60 * count / seconds:.0f}")
    print("memory by tenths of the run, MB:", " ".join(f"{peak:.0f}" for peak in peaks))
    report("left over", left_over(base, out))
    report("wrong scores", wrong_scores(out, made, exercise))


def killed(base: Path, count: int, kills: int, exercise: Exercise) -> None:
    make_class(base / "class", exercise, count, hostile=0.0)
    peace, war = base / "peace", base / "war"
    started = time.monotonic()
    with start(base, peace, exercise) as run:
        while not finished(peace):
            time.sleep(0.05)
        until_first = time.monotonic() - started
    grading = time.monotonic() - started - until_first
    print(f"in peace: {until_first:.1f} s to the first report, {grading:.1f} s for all {count}")
    draw = random.Random(0)
    left = []
    # When so many are finished; a run that starts with so many already is killed while it starts.
    for number, wanted in enumerate(sorted(draw.choices(range(count), k=kills)), start=1):
        is_starting = finished(war) >= wanted
        with start(base, war, exercise) as run:
            while finished(war) < wanted and run.poll() is None:
                time.sleep(0.01)
            time.sleep(draw.uniform(0, until_first if is_starting else 2 * grading / count))
            run.kill()
        left += [what for what in left_over(base, war) if what.startswith("process") or not what.endswith(".part")]
        print(f"kill {number}: status {run.returncode}, {finished(war)} of {count} finished", flush=True)
    start(base, war, exercise).wait()
    report("left over", [*left, *left_over(base, war)])
    names = {path.relative_to(each).as_posix() for each in (peace, war) for path in each.rglob("*") if path.is_file()}
    compared = sorted(name for name in names if not name.endswith("timings.json"))
    report("files that differ", [name for name in compared if contents(peace / name) != contents(war / name)])
    print(f"{len(compared)} files compared")


def contents(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def report(about: str, found: Sequence[str]) -> None:
    print(f"{about}: {len(found)}", *found[:20], sep="\n    ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("many", "killed"))
    parser.add_argument("--count", type=int, help="submissions (default 1000, or 60)")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--exercise", choices=list(EXERCISES), default="ex2")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.what == "many":
            many(Path(name), options.count or 1000, EXERCISES[options.exercise])
        else:
            killed(Path(name), options.count or 60, options.kills, EXERCISES[options.exercise])


if __name__ == "__main__":
    main()
