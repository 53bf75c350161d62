"""From the bytes of a module or notebook to the text that is graded."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.submissions.decode import decode
from grader.submissions.find import Submission
from grader.submissions.notebook import code_of
from grader.submissions.reading import SOURCE_LIMIT, Unreadable


def said(submission: Submission, words: str) -> bool:
    return any(words in note for note in submission.notes)


# Texts


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xef\xbb\xbfx = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
        ("s = 'åäö ₀ 日本'\n".encode(), "s = 'åäö ₀ 日本'\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe5'\n", "# -*- coding: latin-1 -*-\ns = 'å'\n"),
        (b"\n# vim: set fileencoding=gbk :\ns = '\xc4\xe3'\n", "\n# vim: set fileencoding=gbk :\ns = '你'\n"),
        (b"", ""),
    ],
)
def test_texts_are_decoded(raw: bytes, text: str) -> None:
    assert decode(raw) == text


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("x = 1\n".encode("utf-16"), "is saved as UTF-16"),
        ("x = 1\n".encode("utf-32"), "is saved as UTF-32"),
        ("x = 1\n".encode("utf-16-le"), "holds a NUL byte at byte 1"),
        (b"x = 1\0\n", "holds a NUL byte at byte 5"),
        (b"x = 1\ns = '\xe5'\n", "is not valid UTF-8 at byte 11 (line 2)"),
        (b"x = 1\n# coding: latin-1\ns = '\xe5'\n", "is not valid UTF-8"),
        (b"# coding: punycode\ns = '\xe5'\n", "nor can it be read as punycode"),
        (b"# coding: zlib_codec\n\xff", "nor can it be read as zlib_codec"),
        (b"# coding: no-such\n\xff", "nor can it be read as no-such"),
    ],
)
def test_other_bytes_are_a_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        decode(raw)
    assert reason in str(caught.value)


# Notebooks


def code(*cells: dict[str, object]) -> tuple[str, list[str]]:
    return code_of(json.dumps({"cells": [{"cell_type": "code", **cell} for cell in cells]}), ["answer"])


def test_code_cells_are_joined_without_magics() -> None:
    text, notes = code(
        {"source": ["%matplotlib inline\n", "!pip install \\\n", "  torch\n", "import torch\n"]},
        {"cell_type": "markdown", "source": "# Title"},
        {"source": "%%bash\nrm -rf /\n"},
        {"source": "%%time\nif True:\n    %timeit f()\nx = '''\n%d\n'''"},
        {"source": "y = (7\n% 4)"},
        {"source": "answer = [torch, y]"},
    )
    scope: dict[str, object] = {"torch": None}
    exec(compile(text.replace("import torch", ""), "nb", "exec"), scope)
    assert scope["answer"] == [None, 3]
    assert "rm -rf" not in text
    assert "pip" not in text
    assert notes == ["6 notebook command lines (% or !) left out"]


def test_nbgrader_s_own_tests_are_left_out() -> None:
    text, notes = code(
        {"source": "answer = 1", "metadata": {"nbgrader": {"grade": False, "solution": True}}},
        {"source": "answer = 2", "metadata": {"nbgrader": {"grade": True, "solution": False}}},
    )
    assert "answer = 1" in text
    assert "answer = 2" not in text
    assert notes == []


def answer_of(*cells: dict[str, Any]) -> tuple[Any, list[str]]:
    """What `answer` is after the code of these cells was run."""
    text, notes = code(*cells)
    scope: dict[str, Any] = {}
    exec(compile(text, "nb", "exec"), scope)
    return scope.get("answer"), notes


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ({"source": "\n  \ndef answer(x):\n    retrun x"}, "def answer(x):"),
        ({"source": "clas answer:", "metadata": {"nbgrader": {"grade_id": "write-answer"}}}, "clas answer:"),
        ({"source": f"class answer: '{'a' * 90}"}, f"class answer: '{'a' * 45}…"),
    ],
)
def test_a_name_lost_with_a_cell_that_is_not_python_says_so_when_called(cell: dict[str, Any], shown: str) -> None:
    """By what a student can find in Jupyter, which shows neither numbers nor ids."""
    answer, notes = answer_of({"source": "from __future__ import annotations"}, cell)
    (note,) = notes
    assert note.startswith(f"the cell that begins with `{shown}` is not Python (")
    assert note.endswith("), so it was left out")
    with pytest.raises(SyntaxError) as caught:
        answer(1, pad_id=2)
    assert str(caught.value) == note.replace("it was left out", "`answer` is not defined")


@pytest.mark.parametrize("others", [({"source": "answer = 1"},), ({"source": "def answer():\n    return 1"},)])
def test_what_another_cell_defines_is_not_lost(others: tuple[dict[str, Any], ...]) -> None:
    """Jupyter keeps the earlier definition, too, when a later cell cannot be run."""
    broken = {"source": "def answer(:\n    return 2"}
    for cells in ((broken, *others), (*others, broken)):
        answer, notes = answer_of(*cells)
        assert (answer() if callable(answer) else answer) == 1
        assert len(notes) == 1


@pytest.mark.parametrize(
    "source",
    [
        "    def answer():\n        return 3",
        ">>> def answer():\n...     return 3\n...\n",
        "files = !ls\nanswer = 3",
        "taken = %time f()\nanswer = 3",
        "%matplotlib inline\nanswer = (7\n   % 4)",
    ],
)
def test_what_jupyter_takes_for_python_is_python(source: str) -> None:
    answer, notes = answer_of({"source": source})
    assert (answer() if callable(answer) else answer) == 3
    assert not any("not Python" in note for note in notes)


def test_all_worksheets_of_an_old_notebook_are_read() -> None:
    cells = [[{"cell_type": "code", "input": text}] for text in ("first = 1", "answer = first")]
    text, _ = code_of(json.dumps({"worksheets": [{"cells": each} for each in cells]}), ["answer"])
    assert "first = 1" in text
    assert "answer = first" in text


def test_a_cell_that_is_not_python_and_defines_nothing_asked_for_only_is_noted() -> None:
    text, notes = code({"source": "def other(:"}, {"source": "answer = 1"})
    assert "other" not in text
    assert len(notes) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "not json",
        '{"cells": 3}',
        "[" * 100_000,
        "1" * 100_000,
        '{"cells": [{"cell_type": "code", "source": 1}]}',
        '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
    ],
)
def test_what_is_no_notebook_is_a_reason(text: str) -> None:
    with pytest.raises(Unreadable):
        code_of(text, [])


def test_a_notebook_may_be_larger_than_its_code(
    tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    picture = {"data": {"image/png": "A" * 3_000_000}}
    notebook = {"cells": [{"cell_type": "code", "source": "causal_mask = 1", "outputs": [picture]}]}
    put(tmp_path / "ada" / "ex2_attention.ipynb", json.dumps(notebook))
    assert "causal_mask = 1" in only(tmp_path).sources["ex2"]
    with pytest.raises(Unreadable, match="larger than 200 kB"):
        code({"source": "#" * (SOURCE_LIMIT + 1)})


def test_a_module_is_preferred_to_a_notebook(
    tmp_path: Path, put: Callable[..., Path], only: Callable[[Path], Submission]
) -> None:
    put(tmp_path / "ada" / "ex2_attention.ipynb", "{}")
    put(tmp_path / "ada" / "deep" / "ex2_attention (1).py", "a = 1\n")
    submission = only(tmp_path)
    assert submission.sources["ex2"] == "a = 1\n"
    assert said(submission, "found 2 times")
