"""Greedy decoding with something to see: models whose rows end at different steps, and what they should write.

The decoders have two layers: with one, the last position would not notice a missing causal mask.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from grader.laws.compare import agree, broken, check_tensor, require
from grader.laws.interface import Implementation
from grader.laws.judge_transformer import JudgeTransformer
from grader.laws.model_cases import ModelCase, model_shapes
from grader.laws.model_checks import by_parts
from grader.laws.oracles import Parameters, drawn, named_parameters

LENGTH = 7
"""Ids of a row at most, SOS counted, where a scene is played to its end."""

SOS_ID, UNUSED_ID = 3, 4
"""Not the course's own ids, so that no constant of the exercise can be right by chance."""

CLEAR_GAP = 1e-3
"""How far the best logit lies before the second: no order of summation can turn it round."""

VOCABULARY = 10
"""Target ids of a scene."""

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
            for name, parameter in named_parameters(model).items():
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
    case = ModelCase(CANDIDATES, 5, LENGTH, 2, 4, 1, 2, pad_id, seed, tgt_vocab=VOCABULARY, max_len=LENGTH)
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


def check_greedy(model: Any, case: ModelCase, src: Tensor, rows: Any, max_len: int, what: str) -> None:
    """`rows`, decoded from `src` without an end, hold the best ids by what this very model's `decode` gives.

    The model has to be in eval mode. One look at all positions tells that every id is the best one; only where
    it seems not to be, it is asked step by step, since a decoder without causal mask answers otherwise then.
    """
    rows = fill_up(rows, max_len, case.pad_id, what)
    if not torch.equal(rows, _in_one_look(model, case, src, rows)):
        agree(rows, _own_greedy(model, case, src, max_len), what, given={"src": src})


def _in_one_look(model: Any, case: ModelCase, src: Tensor, rows: Tensor) -> Tensor:
    """SOS and the best ids (B, T) after each beginning of `rows`."""
    start = torch.full((src.size(0), 1), SOS_ID)
    if rows.size(1) == 1:
        return start
    return torch.cat([start, by_parts(model, case.pad_id, src, rows[:, :-1]).argmax(-1)], dim=1)


def check_special_ids(impl: Implementation, model: Any, play: Scene) -> None:
    """A model that writes `pad_id` or `sos_id` instead of one of its two favourites writes on as with any other id."""
    src, ids = play.case.src(padded=True), {"pad_id": play.case.pad_id, "sos_id": SOS_ID}  # more sources than a scene's
    rows = impl.greedy_decode(model, src, max_len=LENGTH, sos_id=SOS_ID, eos_id=UNUSED_ID)
    counts = fill_up(rows, LENGTH, play.case.pad_id)[:, 1:].flatten().bincount(minlength=VOCABULARY)
    favourites = counts.topk(2).indices.tolist()
    for (name, id), instead in product(ids.items(), favourites):
        _swap(model, id, instead)
        rows = impl.greedy_decode(model, src, max_len=LENGTH, sos_id=SOS_ID, eos_id=UNUSED_ID)
        what = f"greedy_decode with a model that writes {name} = {id} like any other id"
        check_greedy(model, play.case, src, rows, LENGTH, what)
        _swap(model, id, instead)


def _swap(model: Any, id: int, instead: int) -> None:
    """Make a model write `id` wherever it wrote `instead`, and the other way round."""
    own = Parameters.of(model)
    with torch.no_grad():
        for name in ("out_proj.weight", "out_proj.bias"):
            own[name][[id, instead]] = own[name][[instead, id]]


def _own_greedy(model: Any, case: ModelCase, src: Tensor, max_len: int) -> Tensor:
    """What greedy decoding of this very model is, (B, max_len) ids without an end: the best one again and again."""
    ids = torch.full((src.size(0), 1), SOS_ID)
    while ids.size(1) < max_len:
        best = by_parts(model, case.pad_id, src, ids).detach()[:, -1].topk(2)
        if float((best.values[:, 0] - best.values[:, 1]).amin()) < CLEAR_GAP / 10:
            broken("decode finds two best ids at once, so what decoding should give cannot be told.")
        ids = torch.cat([ids, best.indices[:, :1]], dim=1)
    return ids


def ended(rows: Tensor, eos_id: int, pad_id: int) -> Tensor:
    """Rows (B, T) that were written without an end, as they are with `eos_id` as EOS: nothing but padding behind it."""
    after = (rows == eos_id).cumsum(1) - (rows == eos_id).int() > 0  # (B, T)
    return rows.masked_fill(after, pad_id)


def telling_end(rows: Tensor, preferred: int) -> int:
    """An id of `rows` (B, T) that would end some of them early and leave another one open; `preferred` if it would."""
    written = rows[:, 1:].tolist()
    for eos_id in (preferred, *sorted({id for row in written for id in row})):
        first = [[*row, eos_id].index(eos_id) for row in written]
        if len(set(first)) > 1 and min(first) < rows.size(1) - 2:
            break
    else:
        words = "greedy_decode writes rows that would all end at the same step, whatever EOS is, so that nothing can be"
        broken(f"{words} told from them. Mend the laws of the model first, if some of them fail.", rows=rows)
    return eos_id


def fill_up(rows: Any, length: int, pad_id: int, what: str = "greedy_decode") -> Tensor:
    """Decoded rows (B, at most `length`) with `pad_id` behind them, `length` ids in all."""
    rows = check_tensor(rows, what, dtype=torch.int64)
    require(
        rows.dim() == 2 and 1 <= rows.size(1) <= length,
        f"{what} should give (B, at most {length}) ids, SOS counted, but its result has shape {tuple(rows.shape)}.",
    )
    strange = rows[(rows < 0) | (rows >= VOCABULARY)].tolist()
    require(not strange, f"{what} gives ids that the target vocabulary does not have: {strange[:4]}.")
    return torch.cat([rows, torch.full((rows.size(0), length - rows.size(1)), pad_id)], dim=1)
