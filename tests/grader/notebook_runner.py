"""Runs the code cells of notebooks as a kernel would, in one process: `notebook_runner.py NOTEBOOK...`, JSON out.

A kernel costs seconds, most of them for importing torch; the chain's own test (`test_nbgrader_chain.py`) starts some.
"""

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import matplotlib
from IPython.core.interactiveshell import InteractiveShell


def main(paths: list[str]) -> None:
    """Print, for each notebook, what each of its code cells printed and whether it ended well."""
    matplotlib.use("agg")
    shell = InteractiveShell.instance()
    print(json.dumps([_run(shell, path) for path in [Path(name).resolve() for name in paths]]))


def _run(shell: InteractiveShell, path: Path) -> dict[str, Any]:
    os.chdir(path.parent)
    shell.reset()
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: _cell(shell, "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"}


def _cell(shell: InteractiveShell, source: str) -> dict[str, Any]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        passed = shell.run_cell(source, store_history=True).success
    return {"passed": passed, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    main(sys.argv[1:])
