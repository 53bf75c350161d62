"""What attention, layers and stacks should compute, by torch's own operators on a student's own parameters.

Everything takes parameters by the contract's names and is differentiable in them. Masks are boolean and True means
"may attend"; torch's layers read them the other way round.
"""

import math
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional as F

from grader.laws.errors import LawBroken
from grader.laws.judge_transformer import ATTENTIONS, PLAIN_PARTS, sinusoids
from grader.laws.tensors import generator


class Parameters(Mapping[str, Tensor]):
    """Parameters by their names in the contract. Asking for one that does not exist breaks the law."""

    def __init__(self, named: Mapping[str, Tensor]) -> None:
        self._named = dict(named)

    @classmethod
    def of(cls, module: nn.Module) -> "Parameters":
        """The parameters of a student's module; one that stands under two names is found under both."""
        return cls(dict(module.named_parameters(remove_duplicate=False)))

    def double(self) -> "Parameters":
        """The same values in float64."""
        return Parameters({name: value.double() for name, value in self._named.items()})

    def __getitem__(self, name: str) -> Tensor:
        if name not in self._named:
            raise LawBroken(f"there should be a parameter `{name}`, but there is none.")
        return self._named[name]

    def __contains__(self, name: object) -> bool:
        return name in self._named

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def below(self, part: str) -> "Parameters":
        """The parameters of one part, named as that part names them."""
        start = f"{part}."
        return Parameters({n.removeprefix(start): v for n, v in self._named.items() if n.startswith(start)})

    def layers(self, stack: str) -> list["Parameters"]:
        """The parameters of each layer of the `encoder` or the `decoder`."""
        numbers = {name.split(".")[1] for name in self._named if name.startswith(f"{stack}.")}
        return [self.below(f"{stack}.{number}") for number in sorted(numbers)]


def drawn(name: str, shape: tuple[int, ...], seed: int, *, gain: float = 1.0) -> Tensor:
    """A value for the parameter `name` that depends on `name` and `seed` only, in float64.

    Weights keep the size of their inputs; biases and the weights of norms are far from 0 and 1, so that nothing
    is hidden by a fresh module's values.
    """
    values = torch.randn(shape, generator=generator(zlib.crc32(name.encode()) + seed), dtype=torch.float64)
    if len(shape) > 1:
        return values * gain / math.sqrt(shape[-1])
    if "norm" in name and name.endswith("weight"):
        return 1 + 0.3 * values.clamp(-2, 2)
    return values / 2


def named_parameters(module: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters of a student's module, each once. One that has two names (`w_q.weight` is in a list of layers too,
    as `layers.0.weight`) goes by the one with fewer numbers, or else fewer dots."""
    names: dict[int, list[str]] = {}
    for name, parameter in module.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)

    def plainness(name: str) -> tuple[int, int]:
        parts = name.split(".")
        return sum(part.isdigit() for part in parts), len(parts)

    chosen = {id: min(several, key=plainness) for id, several in names.items()}
    return {chosen[id(parameter)]: parameter for _, parameter in module.named_parameters()}


def draw_parameters(module: nn.Module, seed: int, *, gain: float = 1.0) -> None:
    """Overwrite every parameter of a module with its `drawn` value."""
    with torch.no_grad():
        for name, parameter in named_parameters(module).items():
            parameter.copy_(drawn(name, tuple(parameter.shape), seed, gain=gain))


def linear(own: Parameters, name: str, x: Tensor) -> Tensor:
    """The linear map `name` of `x`, with its bias if it has one."""
    parts = [own[part] for part in (f"{name}.weight", f"{name}.bias") if part in own]
    return F.linear(x, *parts)


@lru_cache
def _torch_attention(d_model: int, heads: int, bias: bool) -> nn.MultiheadAttention:
    return nn.MultiheadAttention(d_model, heads, bias=bias, batch_first=True, device="meta")


@lru_cache
def _torch_layer(kind: type[nn.Module], d_model: int, heads: int, d_ff: int) -> nn.Module:
    return kind(d_model, heads, d_ff, dropout=0.0, batch_first=True, device="meta")


def _attention_parameters(own: Parameters) -> dict[str, Tensor]:
    """A MultiHeadAttention's parameters as `nn.MultiheadAttention` calls them; it keeps q, k and v in one tensor."""
    named: dict[str, Tensor] = {}
    for kind in ("weight", "bias") if "w_o.bias" in own else ("weight",):
        named[f"in_proj_{kind}"] = torch.cat([own[f"{name}.{kind}"] for name in ("w_q", "w_k", "w_v")])
        named[f"out_proj.{kind}"] = own[f"w_o.{kind}"]
    return named


def _layer_parameters(own: Parameters, norms: int) -> dict[str, Tensor]:
    """An EncoderLayer's or DecoderLayer's parameters as torch's layers call them."""
    attentions = ("self_attn",) if norms == 2 else ("self_attn", "cross_attn")
    parts = ("ffn.fc1", "ffn.fc2", *(f"norm{i + 1}" for i in range(norms)))
    named = {f"{PLAIN_PARTS[part]}.{kind}": own[f"{part}.{kind}"] for part in parts for kind in ("weight", "bias")}
    for part in attentions:
        inner = _attention_parameters(own.below(part))
        named |= {f"{ATTENTIONS[part]}.{name}": value for name, value in inner.items()}
    return named


def _blocked(mask: Tensor | None, batch: int, heads: int, queries: int, keys: int) -> Tensor | None:
    """A "may attend" mask of any documented shape as torch's "blocked" mask (B * H, Tq, Tk)."""
    if mask is None:
        return None
    return ~mask.expand(batch, heads, queries, keys).reshape(batch * heads, queries, keys)


def attend(
    own: Parameters, heads: int, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """`nn.MultiheadAttention`: output (B, Tq, d_model) and weights (B, H, Tq, Tk). No row may be blocked wholly."""
    module = _torch_attention(query.size(-1), heads, "w_o.bias" in own)
    blocked = _blocked(mask, query.size(0), heads, query.size(1), key.size(1))
    options = {"attn_mask": blocked, "need_weights": True, "average_attn_weights": False}
    output, weights = functional_call(module, _attention_parameters(own), (query, key, value), options)
    return output, weights


def encoder_layer(own: Parameters, heads: int, x: Tensor, mask: Tensor | None = None) -> Tensor:
    """`nn.TransformerEncoderLayer`, post-norm, without dropout."""
    d_ff, d_model = own["ffn.fc1.weight"].shape
    layer = _torch_layer(nn.TransformerEncoderLayer, d_model, heads, d_ff)
    blocked = _blocked(mask, x.size(0), heads, x.size(1), x.size(1))
    output: Tensor = functional_call(layer, _layer_parameters(own, 2), (x,), {"src_mask": blocked})
    return output


def decoder_layer(
    own: Parameters,
    heads: int,
    x: Tensor,
    memory: Tensor,
    tgt_mask: Tensor | None = None,
    memory_mask: Tensor | None = None,
) -> Tensor:
    """`nn.TransformerDecoderLayer`, post-norm, without dropout."""
    d_ff, d_model = own["ffn.fc1.weight"].shape
    layer = _torch_layer(nn.TransformerDecoderLayer, d_model, heads, d_ff)
    size, batch = x.size(1), x.size(0)
    masks = {
        "tgt_mask": _blocked(tgt_mask, batch, heads, size, size),
        "memory_mask": _blocked(memory_mask, batch, heads, size, memory.size(1)),
    }
    output: Tensor = functional_call(layer, _layer_parameters(own, 3), (x, memory), masks)
    return output


def embed(own: Parameters, side: str, ids: Tensor) -> Tensor:
    """The scaled embeddings of one side, "src" or "tgt", plus the positions: (B, T, d_model)."""
    table = own[f"{side}_embed.weight"]
    return table[ids] * math.sqrt(table.size(1)) + sinusoids(ids.size(1), table.size(1), table.dtype)


def encode(own: Parameters, heads: int, src: Tensor, mask: Tensor | None = None) -> Tensor:
    """The memory (B, Ts, d_model): all encoder layers on the embedded source."""
    x = embed(own, "src", src)
    for one in own.layers("encoder"):
        x = encoder_layer(one, heads, x, mask)
    return x


def decode(
    own: Parameters,
    heads: int,
    tgt: Tensor,
    memory: Tensor,
    tgt_mask: Tensor | None = None,
    memory_mask: Tensor | None = None,
) -> Tensor:
    """The decoder's output (B, Tt, d_model): all decoder layers on the embedded target."""
    x = embed(own, "tgt", tgt)
    for one in own.layers("decoder"):
        x = decoder_layer(one, heads, x, memory, tgt_mask, memory_mask)
    return x


def may_attend(ids: Tensor, pad_id: int, *, causal: bool = False) -> Tensor:
    """The mask of a sequence (B, T): its padding is hidden and, if `causal`, its future: (B, 1, T or 1, T)."""
    real = (ids != pad_id)[:, None, None, :]  # (B, 1, 1, T)
    return real & torch.ones(ids.size(1), ids.size(1), dtype=torch.bool).tril() if causal else real
