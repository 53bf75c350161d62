"""The hostile submissions: what stands in `tests/hostile/`, and folders and zips that no text can describe.

An attack `tests/hostile/segfault.py` holds

    \"\"\"What it tries, and what it may honestly earn.\"\"\"
    EXERCISE = "ex3"              # if it is not ex2
    LAWS = ("a_law", ...)         # the laws that it is tried on, if not the usual ones
    AT_EVERY_LEVEL = True         # if what holds it differs between the levels of isolation
    EARNS = ("a_law", ...)        # those that it passes; () none, "all" all of them
    SAYS = ("words", ...)         # what its report says, at least
    FILES = {"conftest.py": ...}  # what else it sends, if anything
    ...                           # the attack

As a submission it stands behind an answer that is right, so that what it does not touch earns its points; where it
may earn nothing, behind one that is wrong, so that any point would be a gain. `@COURSE@` and the like stand for what
an attacker may guess, and are filled in.
"""

import ast
import os
import stat
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from grader.course import EXERCISES, ROOT, SOLUTIONS

_CONSTANTS = ("EXERCISE", "LAWS", "AT_EVERY_LEVEL", "EARNS", "SAYS", "FILES")
HOSTILE = ROOT / "tests" / "hostile"
EX2 = EXERCISES["ex2"].filename
USUAL = {
    "ex2": (
        "the_causal_mask_is_a_lower_triangle",
        "the_padding_mask_is_true_at_real_tokens",
        "attention_agrees_with_torch",
        "gradients_flow_and_are_right",
        "a_call_leaves_nothing_behind",
        "the_work_is_your_own",
    ),
    "ex3": ("four_projections_of_their_own", "self_attention_agrees_with_torch", "gradients_reach_everything"),
}
# A law that fails costs ten times one that holds: those who may earn nothing are tried on one.
ONE = {"ex2": USUAL["ex2"][:1], "ex3": USUAL["ex3"][1:2]}
WRONG = {
    "ex2": """
import torch


def causal_mask(size):
    return torch.zeros(1)


def padding_mask(tokens, pad_id):
    return torch.zeros(1)


def scaled_dot_product_attention(q, k, v, mask=None):
    return torch.zeros(1), torch.zeros(1)
""",
    "ex3": """
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        self.w_q = self.w_k = self.w_v = self.w_o = nn.Linear(d_model, d_model, bias)

    def forward(self, query, key, value, mask=None):
        return self.w_q(query), torch.zeros(1)
""",
}


@dataclass(frozen=True)
class Attack:
    """One hostile submission: its text, and how it has to fare."""

    id: str
    exercise: str
    text: str
    laws: tuple[str, ...]
    earns: tuple[str, ...]
    says: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    at_every_level: bool = False

    def send(self, folder: Path, known: Mapping[str, str]) -> None:
        """Put it into a student's folder; `known` is filled in for what an attacker may guess."""
        module = EXERCISES[self.exercise].filename
        solutions = {EXERCISES[id].filename: _solution(id) for id in EXERCISES[self.exercise].needs}
        for name, text in (solutions | dict(self.files) | {module: self.text}).items():
            for guessed, value in known.items():
                text = text.replace(guessed, value)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")


def read(path: Path) -> Attack:
    """The attack in a file."""
    text = path.read_text(encoding="utf-8")
    told = {"EXERCISE": "ex2"} | dict(filter(None, map(_constant, ast.parse(text).body)))
    exercise: str = told["EXERCISE"]
    laws = told.get("LAWS", (USUAL if told["EARNS"] else ONE)[exercise])
    earns = laws if told["EARNS"] == "all" else told["EARNS"]
    base = _solution(exercise) if earns else WRONG[exercise]
    text = f"{base}\n\n{text}"
    files, everywhere = told.get("FILES", {}), told.get("AT_EVERY_LEVEL", False)
    return Attack(path.stem, exercise, text, laws, earns, told["SAYS"], files, everywhere)


def _constant(statement: ast.stmt) -> tuple[str, Any] | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _CONSTANTS:
            return name, ast.literal_eval(value)
    return None


def _solution(exercise: str) -> str:
    return (SOLUTIONS / EXERCISES[exercise].filename).read_text(encoding="utf-8")


Level = Literal["namespaces", "landlock"]
ATTACKS = {path.stem: read(path) for path in sorted(HOSTILE.glob("*.py"))}


def attacks_at(level: Level) -> list[Attack]:
    """The attacks that are tried at a level: all at the strongest."""
    return [attack for attack in ATTACKS.values() if level == "namespaces" or attack.at_every_level]


# Sorted among the attacks, so that they are graded between them.
BYSTANDERS = {
    "deaf_bystander": SOLUTIONS / EX2,
    "frame_bystander": ROOT / "tests" / "sample_class" / "submissions" / "lena" / EX2,
    "system_bystander": SOLUTIONS / EX2,
}


# What is hostile by what it is, not by what it says: how to make it of a student's folder, and what is said of it.


def _link(folder: Path) -> None:
    folder.mkdir()
    (folder / EX2).symlink_to(SOLUTIONS / EX2)


def _linked_folder(folder: Path) -> None:
    folder.mkdir()
    (folder / "exercises").symlink_to(SOLUTIONS, target_is_directory=True)


def _pipe(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / EX2)


def _device(folder: Path) -> None:
    folder.mkdir()
    if os.geteuid() == 0:  # others cannot make one, so a pipe stands for it
        os.mknod(folder / EX2, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    else:
        os.mkfifo(folder / EX2)


def _sparse(folder: Path) -> None:
    folder.mkdir()
    (folder / EX2).touch()
    os.truncate(folder / EX2, 1 << 40)


def _deep(folder: Path) -> None:
    deepest = folder.joinpath(*["d"] * 40)
    deepest.mkdir(parents=True)
    (deepest / EX2).write_text(_solution("ex2"), encoding="utf-8")


def _zip_slip(folder: Path) -> None:
    with zipfile.ZipFile(f"{folder}.zip", "w") as target:
        target.writestr(f"../../{EX2}", _solution("ex2"))


def _zipped_link(folder: Path) -> None:
    link = zipfile.ZipInfo(EX2)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(f"{folder}.zip", "w") as target:
        target.writestr(link, str(SOLUTIONS / EX2))


def _zip_bomb(folder: Path) -> None:
    with zipfile.ZipFile(f"{folder}.zip", "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(EX2, bytes(190_000))


UNUSUAL: dict[str, tuple[Callable[[Path], None], str]] = {
    "link": (_link, "is a link; links are not followed"),
    "linked_folder": (_linked_folder, "is a link; links are not followed"),
    "pipe": (_pipe, "is neither a file nor a folder and was not opened"),
    "device": (_device, "is neither a file nor a folder and was not opened"),
    "sparse": (_sparse, "is larger than 200 kB"),
    "deep_folders": (_deep, "folders more than 30 deep were not looked at"),
    "zip_slip": (_zip_slip, "points outside the zip"),
    "zipped_link": (_zipped_link, "is a link; links are not followed"),
    "zip_bomb": (_zip_bomb, "unpacks to more than 500 times its size"),
}

NAMES = (
    "<script>alert(9)<",
    '=HYPERLINK("http:evil","ada")',
    "\x1b[2J\x1b]0;owned\x07",
    "[bold red]{{ 7*7 }}[-bold red]",
    "rtl\u202egnp.exe",
    "index.html",
    "-rf",
    "NUL",
)
"""Names of students, who sent nothing that works."""
