"""Greedy decoding with something to see: models whose rows end at different steps, and what they should write.

The decoders have two layers: with one, the last position would not notice a missing causal mask.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.compare import broken, check_tensor, require
from grader.laws.judge_transformer import JudgeTransformer
from grader.laws.model_cases import ModelCase, model_shapes
from grader.laws.oracles import drawn

LENGTH = 7
"""Ids of a row at most, SOS counted, where a scene is played to its end."""

SOS_ID, UNUSED_ID = 3, 4
"""Not the course's own ids, so that no constant of the exercise can be right by chance."""

CLEAR_GAP = 1e-3
"""How far the best logit lies before the second: no order of summation can turn it round."""

CANDIDATES = 24


@dataclass(frozen=True, eq=False)
class Scene:
    """A model and sources of which row 0 ends late, row 1 early, and row 2 not before `LENGTH`."""

    case: ModelCase
    parameters: dict[str, Tensor]
    kept_src: Tensor
    eos_id: int

    @property
    def src(self) -> Tensor:
        """The sources (3, Ts), copied each time: a scene is kept, and a student may write into an input."""
        return self.kept_src.clone()

    def load(self, model: Any) -> Any:
        """Put the scene's parameters into a student's model; it computes in float64, without gradients."""
        model = model.to(torch.float64).requires_grad_(False)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                value = self.parameters.get(name)
                if value is not None and value.shape == parameter.shape:
                    parameter.copy_(value)
        return model


def scene_seeds() -> st.SearchStrategy[int]:
    """Few, because making a scene is the dear part: each is kept for the next law and the next submission."""
    return st.integers(0, 11)


@lru_cache
def scene(seed: int, pad_id: int) -> Scene:
    """The first suitable scene that `seed` leads to."""
    return next(_scenes(seed, pad_id))


def _scenes(seed: int, pad_id: int) -> Iterator[Scene]:
    case = ModelCase(CANDIDATES, 5, LENGTH, 2, 4, 1, 2, pad_id, seed, tgt_vocab=10, max_len=LENGTH)
    while True:
        parameters = _parameters(case)
        sources = case.src(padded=True)
        judge = JudgeTransformer.from_student(parameters, num_heads=case.heads, pad_id=pad_id)
        rows = judge.greedy(sources, LENGTH, SOS_ID, UNUSED_ID)
        best = judge.logits(sources, rows[:, :-1]).topk(2).values  # (B, T, 2)
        clear = (best[..., 0] - best[..., 1]).amin(dim=1) > CLEAR_GAP
        telling = (judge.greedy(sources, LENGTH, SOS_ID, UNUSED_ID, causal=False) != rows).any(dim=1)
        for eos_id in range(case.tgt_vocab):
            chosen = _choose(rows, clear, telling, eos_id)
            if chosen and eos_id != 2:
                yield Scene(case, parameters, sources[chosen], eos_id)
        case = replace(case, seed=case.seed + 1000)


def _choose(rows: Tensor, clear: Tensor, telling: Tensor, eos_id: int) -> list[int]:
    """Three rows that write `eos_id` late, early and never, the last of which needs the causal mask; or none."""
    first = [[*row.tolist(), eos_id].index(eos_id) for row in rows]
    usable = [i for i in range(len(first)) if clear[i]]
    early = [i for i in usable if first[i] in (2, 3)]
    late = [i for i in usable if first[i] in (LENGTH - 3, LENGTH - 2)]
    never = [i for i in usable if first[i] == LENGTH and telling[i]]
    return [late[0], early[0], never[0]] if early and late and never else []


def _parameters(case: ModelCase) -> dict[str, Tensor]:
    """Each token calls for the next id, more or less, and all ids are called alike often; three never."""
    named = {
        name: drawn(name, shape, case.seed) * (0.2 if name.endswith("bias") else 1.0)
        for name, shape in model_shapes(case).items()
    }
    named["out_proj.weight"] += named["tgt_embed.weight"].roll(1, 0) * case.d_model**0.5
    judge = JudgeTransformer.from_student(named, num_heads=case.heads, pad_id=case.pad_id)
    named["out_proj.bias"] -= judge.logits(case.src(padded=True), case.tgt()).mean(dim=(0, 1))
    named["out_proj.bias"][[case.pad_id, SOS_ID, UNUSED_ID]] = -99.0
    return named


def own_greedy(model: Any, src: Tensor, max_len: int, eos_id: int, pad_id: int) -> Tensor:
    """What greedy decoding of this very model is: the best next id by `model(src, prefix)`, again and again.

    Rows are filled up to `max_len` with `pad_id`. The model has to be in eval mode.
    """
    tokens = torch.full((src.size(0), 1), SOS_ID)
    ended = torch.zeros(src.size(0), dtype=torch.bool)
    while tokens.size(1) < max_len:
        logits = check_tensor(model(src, tokens), "model(src, tgt)").detach()
        require(
            logits.dim() == 3 and logits.shape[:2] == tokens.shape,
            f"model(src, tgt) should have shape (B, Tt, tgt_vocab), but it has shape {tuple(logits.shape)}.",
        )
        best = logits[:, -1].topk(2)
        if float((best.values[:, 0] - best.values[:, 1])[~ended].amin()) < CLEAR_GAP / 10:
            broken("model(src, tgt) has two best ids at once, so what decoding should give cannot be told.")
        following = best.indices[:, 0].masked_fill(ended, pad_id)
        tokens = torch.cat([tokens, following.unsqueeze(1)], dim=1)
        ended = ended | (following == eos_id)
        if ended.all():
            break
    return fill_up(tokens, max_len, pad_id)


def fill_up(rows: Any, length: int, pad_id: int) -> Tensor:
    """Decoded rows (B, at most `length`) with `pad_id` behind them, `length` ids in all."""
    rows = check_tensor(rows, "greedy_decode", dtype=torch.int64)
    require(
        rows.dim() == 2 and rows.size(1) <= length,
        f"greedy_decode should give (B, at most {length}) ids, but its result has shape {tuple(rows.shape)}.",
    )
    return torch.cat([rows, torch.full((rows.size(0), length - rows.size(1)), pad_id)], dim=1)
