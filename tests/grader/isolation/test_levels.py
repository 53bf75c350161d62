"""How a level is chosen, and what a view of the host's files shows."""

import contextlib
import os
import sys
from pathlib import Path

import pytest

from tests.grader.isolation.asking import SERVE, gone_within, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are isolated on Linux only")

if sys.platform == "linux":
    from grader.judge.workers import Zygote
    from grader.worker import isolation
    from grader.worker.isolation import syscalls
    from grader.worker.isolation.view import View, python_view


def test_without_a_filter_library_there_is_no_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syscalls, "missing", lambda: "the library libseccomp is not installed")
    found = isolation.probe(python_view())
    assert found.level == "none"
    assert found.reasons == dict.fromkeys(["namespaces", "landlock"], "the library libseccomp is not installed")


def test_a_view_that_the_workers_user_cannot_read_is_told(tmp_path: Path) -> None:
    if os.getuid() != 0 or isolation.why_not("namespaces", python_view()) is not None:
        pytest.skip("only where workers are given users of their own")
    tmp_path.chmod(0o700)
    view = View((*python_view().directories, str(tmp_path)), files=(), devices=("/dev/null",), hidden=())
    assert f"{tmp_path} is not readable for all users" in str(isolation.why_not("namespaces", view))


def test_a_virtual_environment_inside_the_course_is_shown_and_nothing_else_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment = tmp_path / "course" / ".venv"
    environment.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(environment))
    view = python_view([str(tmp_path / "course")])
    shown = [path for path in view.directories if Path(path).is_relative_to(tmp_path)]
    assert shown == [str(environment)]
    assert str(tmp_path / "course") in view.hidden


@pytest.mark.parametrize("level", ["namespaces", "landlock"])
def test_what_is_hidden_inside_the_view_may_contain_something_shown(level: "isolation.Level", tmp_path: Path) -> None:
    course, environment = tmp_path / "course", tmp_path / "course" / ".venv"
    environment.mkdir(parents=True)
    for folder in (tmp_path, course, environment):
        folder.chmod(0o755)  # a worker of root's is another user
        (folder / "file").write_text(folder.name, encoding="utf-8")
    shown = (*python_view().directories, str(tmp_path), str(environment))
    view = View(shown, files=(), devices=("/dev/null",), hidden=(str(course),))
    if (reason := isolation.why_not(level, view)) is not None:
        pytest.skip(reason)
    reading, writing = os.pipe()
    pid, link = isolation.fork(level)
    if pid == 0:
        try:
            isolation.enter(level, view, isolation.WorkerLimits(), link=link, output=writing, keep=())
            for folder in (tmp_path, course, environment):
                try:
                    text = (folder / "file").read_text(encoding="utf-8")
                except OSError:
                    text = "nothing"
                os.write(1, f"{text} ".encode())
        finally:
            os._exit(0)
    os.close(writing)
    assert isolation.failure(link) is None
    with os.fdopen(reading, encoding="utf-8") as pipe:
        assert pipe.read().split() == [tmp_path.name, "nothing", ".venv"]
    link.close()
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def test_no_isolation_only_on_request() -> None:
    with Zygote("none", serve=SERVE) as zygote, zygote.spawn() as worker:
        assert zygote.level == "none"
        assert run(worker, "result = 1") == 1
        pid = run(worker, "import os; result = os.fork()\nif result == 0: __import__('time').sleep(1000)")
        worker.close()
        with contextlib.suppress(ChildProcessError):
            assert gone_within(5, pid)
