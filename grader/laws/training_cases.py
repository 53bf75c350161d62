"""What the laws of exercise 5 are tried on: batches of the copy task, losses, single steps, whole runs."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.oracles_training import Batch
from grader.laws.tensors import Layout, generator, random_ids, random_tensor, seeds

OPTIMIZERS: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.25, "momentum": 0.5},
    "Adam": {"lr": 0.05, "betas": (0.8, 0.9)},
}


@dataclass(frozen=True)
class BatchCase:
    """Arguments of `copy_batch`."""

    batch: int
    length: int
    vocab_size: int
    seed: int

    @property
    def sizes(self) -> tuple[int, int, int]:
        return self.batch, self.length, self.vocab_size

    def __str__(self) -> str:
        return f"batch {self.batch}, length {self.length}, vocab_size {self.vocab_size}, seed {self.seed}"


batch_cases = st.builds(BatchCase, st.integers(2, 5), st.integers(2, 6), st.integers(5, 15), seeds)


def real_ids(shape: tuple[int, ...], seed: int, *, vocab: int, pad_id: int) -> Tensor:
    """Ids of the vocabulary without `pad_id`; the highest one that is not padding is at the first place."""
    ids = random_ids(shape, seed, low=0, high=vocab - 1)
    ids = ids + (ids >= pad_id).to(torch.int64)
    ids.view(-1)[0] = vocab - 1 if pad_id != vocab - 1 else vocab - 2
    return ids


@dataclass(frozen=True)
class LossCase:
    """Logits (B, T, V) and targets (B, T)."""

    batch: int
    time: int
    vocab: int
    seed: int
    pad_id: int = 0
    smoothing: float = 0.0
    layout: Layout = "contiguous"

    def logits(self, dtype: torch.dtype = torch.float64, *, scale: float = 1.0) -> Tensor:
        shape = (self.batch, self.time, self.vocab)
        return random_tensor(shape, self.seed, dtype=dtype, layout=self.layout, scale=scale)

    def target(self, *, padded: bool = False) -> Tensor:
        """If `padded`, row 0 has no padding, the last row all but one place, the rows between something between.

        An only row is the last one; of rows with one place, the last is nothing but padding.
        """
        target = real_ids((self.batch, self.time), self.seed + 1, vocab=self.vocab, pad_id=self.pad_id)
        if padded:
            places = torch.rand(target.shape, generator=generator(self.seed + 2)).argsort(dim=1)
            last = max(1, self.time - 1) if self.batch > 1 else self.time - 1
            number = torch.arange(self.batch).add(self.batch == 1) * last // max(1, self.batch - 1)
            target[places < number.unsqueeze(1)] = self.pad_id
        return target.t().contiguous().t() if self.layout == "transposed" else target

    def with_each_pad_id(self) -> list["LossCase"]:
        """The same with each kind of `pad_id`: 0, one between, and the last."""
        return [replace(self, pad_id=pad_id) for pad_id in (0, self.vocab // 2, self.vocab - 1)]

    def __str__(self) -> str:
        sizes = f"batch {self.batch}, T {self.time}, V {self.vocab}"
        layout = "" if self.layout == "contiguous" else f", {self.layout} in memory"
        return f"{sizes}, pad_id {self.pad_id}, smoothing {self.smoothing}{layout}, seed {self.seed}"


def loss_cases(*, smoothing: st.SearchStrategy[float] | None = None) -> st.SearchStrategy[LossCase]:
    """Batch, time and vocabulary are at least 2 and differ, so that no axis can be taken for another."""
    return st.builds(
        lambda sizes, **rest: LossCase(*sizes[:3], **rest),
        sizes=st.permutations((2, 3, 4, 5)).filter(lambda sizes: sizes[2] > 2),
        seed=seeds,
        smoothing=st.just(0.0) if smoothing is None else smoothing,
    )


@dataclass(frozen=True)
class StepCase:
    """A probe's sizes, one or more batches for it, and how to train it."""

    batch: int
    src_len: int
    tgt_len: int
    vocab: int
    d_model: int
    seed: int
    optimizer: str
    pad_id: int = 0
    smoothing: float = 0.0

    @property
    def options(self) -> dict[str, Any]:
        """The optimizer's."""
        return OPTIMIZERS[self.optimizer]

    @property
    def loss_options(self) -> dict[str, Any]:
        """How `train_step` is to make the loss."""
        return {"pad_id": self.pad_id, "smoothing": self.smoothing}

    def draw(self, number: int = 0, *, padded: bool = False) -> Batch:
        """Batch `number`. What the decoder reads and what it should say differ; if `padded`, some targets
        are."""
        seed = self.seed + 100 * number
        src = random_ids((self.batch, self.src_len), seed, low=0, high=self.vocab)
        tgt_in = random_ids((self.batch, self.tgt_len), seed + 1, low=0, high=self.vocab)
        tgt_out = real_ids((self.batch, self.tgt_len), seed + 2, vocab=self.vocab, pad_id=self.pad_id)
        if padded:
            tgt_out[-1, 1:] = self.pad_id
        tgt_in[0, 0] = (tgt_out[0, 0] + 1) % self.vocab
        return src, tgt_in, tgt_out

    def __str__(self) -> str:
        sizes = f"batch {self.batch}, source length {self.src_len}, target length {self.tgt_len}, V {self.vocab}"
        loss = f"pad_id {self.pad_id}, smoothing {self.smoothing}"
        return f"{sizes}, {loss}, {self.optimizer}, seed {self.seed}"


def step_cases() -> st.SearchStrategy[StepCase]:
    """All sizes differ; plain cross-entropy, and 0 is padding."""
    return st.builds(
        lambda sizes, **rest: StepCase(*sizes, **rest),
        st.permutations((2, 3, 4)).map(lambda sizes: (*sizes, 7, 5)),
        seed=seeds,
        optimizer=st.sampled_from(tuple(OPTIMIZERS)),
    )


@dataclass(frozen=True)
class RunCase:
    """Arguments of `train_copy_task` for a short run on a probe of width `d_model`."""

    steps: int
    batch: int
    length: int
    vocab_size: int
    warmup: int
    seed: int
    smoothing: float = 0.0
    clip: float | None = 1.0
    d_model: int = 6

    @property
    def arguments(self) -> dict[str, Any]:
        names = ("steps", "batch", "length", "vocab_size", "warmup", "smoothing", "clip", "seed")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.arguments.items())


LONG_RUN = RunCase(steps=130, batch=32, length=6, vocab_size=12, warmup=40, seed=0)
"""A run with every default of `train_copy_task`."""


def run_cases() -> st.SearchStrategy[RunCase]:
    """The peak of the schedule is inside the run, which is long enough for two moments to build up."""
    return st.builds(
        RunCase,
        steps=st.integers(4, 6),
        batch=st.integers(2, 4),
        length=st.sampled_from((5, 6)),
        vocab_size=st.integers(8, 12),
        warmup=st.sampled_from((2, 3)),
        seed=seeds,
    )
