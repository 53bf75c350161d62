"""Side effects that are seen, and failures of the student's code and process."""

import time

import pytest
import torch

from grader.judge.mirror import Mirror
from grader.judge.remote import RemoteImplementation
from grader.laws.errors import LawBroken, StudentError, WorkerLost
from tests.grader.remote.implementation import SUBMISSION, ForkedProcess, implementation


def test_observe(impl: RemoteImplementation) -> None:
    x, y = torch.zeros(2), torch.full((2,), float("nan"))
    with impl.observe(y, x) as seen:
        impl.echo(y)
        impl.write_into(x)
        impl.leak()
    assert seen.changed_inputs == [1]
    assert torch.equal(x, torch.zeros(2))
    assert len(seen.changed_globals) == 4
    assert "torch.float64" in seen.changed_globals[0]
    impl.renew()
    assert impl.dtype_of_new() == (torch.float32, True)
    with impl.observe(x) as seen:
        impl.echo(x)
    assert (seen.changed_inputs, seen.changed_globals) == ([], [])


def test_library_calls(impl: RemoteImplementation) -> None:
    impl.library_calls.clear()
    with impl.observe():
        impl.shortcut(torch.randn(1, 2, 3))
    assert impl.library_calls == {"torch.nn.functional.scaled_dot_product_attention"}


# failures


def test_exceptions(impl: RemoteImplementation) -> None:
    with pytest.raises(ValueError, match="n is 4") as caught:
        impl.fail(4)
    error = caught.value
    assert isinstance(error, StudentError)
    (frame,) = error.frames
    assert (frame.file, frame.function) == ("exercises/ex3_multi_head_attention.py", "fail")
    assert frame.text.startswith("def fail(n): raise ValueError")
    with pytest.raises(NotImplementedError):
        impl.not_yet()
    with pytest.raises(ValueError, match="n is 0") as caught:
        impl.fail_deep(100)
    assert len(caught.value.frames) == 24  # type: ignore[attr-defined]
    with pytest.raises(StudentError) as left:
        impl.leave()
    assert left.value.kind == "SystemExit"
    with pytest.raises(RuntimeError, match="leaf Variable"):
        impl.write_into(torch.zeros(2, requires_grad=True))
    with pytest.raises(StudentError) as worded:
        impl.words()
    assert str(worded.value).startswith(r"\u001b[31mred\u202ex")
    assert len(str(worded.value)) < 5000
    with pytest.raises(LawBroken, match="MultiHeadAttention"):
        impl.MultiHeadAttention(4, 2)


def test_a_lost_worker_is_replaced_in_the_next_law(fresh: RemoteImplementation) -> None:
    for name, status in (
        ("die", "error"),
        ("no_memory", "out_of_memory"),
        ("big", "error"),
        ("spin", "timeout"),
    ):
        model = fresh.Tied()
        with pytest.raises(WorkerLost) as lost:
            getattr(fresh, name)()
        assert lost.value.status == status
        with pytest.raises(WorkerLost) as again:
            fresh.echo(1)
        assert again.value is lost.value
        fresh.renew()
        assert fresh.echo(1) == 1
        with pytest.raises(WorkerLost):
            fresh.decode(model, torch.arange(3))


def test_a_function_out_of_time_twice_is_not_tried_again(fresh: RemoteImplementation) -> None:
    for _ in range(2):
        with pytest.raises(WorkerLost):
            fresh.hang()
        fresh.renew()
    start = time.monotonic()
    with pytest.raises(WorkerLost, match="not tried again") as lost:
        fresh.hang()
    assert time.monotonic() - start < 1
    assert lost.value.status == "timeout"
    assert fresh.echo(1) == 1


def test_allow(fresh: RemoteImplementation) -> None:
    # Of CPU, or of time on the wall, which is five times as long and ends first where the machine is busy.
    with fresh.allow(cpu_seconds=0.3), pytest.raises(WorkerLost, match=r"0\.3 s|1\.5 s"):
        fresh.spin()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('at import')", "ValueError: at import"),
        ("import os; os._exit(0)", "exited"),
        ("raise SystemExit", "SystemExit"),
        ("def f(:", "SyntaxError"),
        ("while True: pass", "import ex3"),
        ("import exercises.ex1_positional_encoding", "No module named 'exercises.ex1_positional_encoding'"),
    ],
)
def test_a_file_that_cannot_be_loaded(text: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spawned = []

    def spawn() -> ForkedProcess:
        spawned.append(ForkedProcess())
        return spawned[-1]

    made = implementation(text, load_seconds=0.2)
    monkeypatch.setattr(made, "_spawn", spawn)
    for _ in range(3):
        with pytest.raises(WorkerLost, match=words):
            made.echo(1)
        made.renew()
    assert len(spawned) == 2


def test_source_and_unknown_names(impl: RemoteImplementation) -> None:
    assert impl.source == SUBMISSION
    with pytest.raises(AttributeError):
        impl.nowhere(1)
    with pytest.raises(AttributeError):
        _ = impl.earlier.nowhere
    assert isinstance(impl.Tied(), Mirror)
