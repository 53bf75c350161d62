"""Pay once, before any judge is forked, for what torch, hypothesis and pytest do on first use."""

import contextlib
import gc
import os
import tempfile

import torch
import torch.nn.functional as F
from hypothesis import strategies as st
from torch import nn

from grader.laws.errors import LawBroken
from grader.laws.forall import forall


def warm_up() -> None:
    """Use each thing that the laws use, once; then freeze the heap, so that forks share it."""
    # Importing torch's compiler makes this folder, even if nothing is compiled: one that exists is left alone.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.gettempdir())
    _search_a_counterexample()
    _use_torch()
    gc.collect()
    gc.freeze()


def _search_a_counterexample() -> None:
    @forall(size=st.integers(1, 8), seed=st.integers(0, 100))
    def law(size: int, seed: int) -> None:
        if size + seed > 20:
            raise LawBroken("found")

    with contextlib.suppress(LawBroken):
        law()


def _use_torch() -> None:
    x = torch.ones(1, 2, 4, dtype=torch.float64, requires_grad=True)
    F.scaled_dot_product_attention(x, x, x).sum().backward()
    torch.autograd.gradcheck(torch.exp, x)
    layers = [nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True), nn.MultiheadAttention(4, 2, batch_first=True)]
    layers[0](torch.ones(1, 2, 4))
    layers[1](*[torch.ones(1, 2, 4)] * 3)
    nn.TransformerDecoderLayer(4, 2, 8, 0.0, batch_first=True)(torch.ones(1, 2, 4), torch.ones(1, 3, 4))
    model = nn.Linear(4, 4)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    repr(torch.ones(2))
