"""The judge's own Transformer, made of torch's layers, for parameters that a student's model has.

Trained or drawn parameters are loaded by the contract's names. What this model then computes depends on none
of the student's code: an oracle for the whole model, and the decoder by which a trained model is marked.
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from grader.laws.errors import LawBroken

ATTENTIONS = {"self_attn": "self_attn", "cross_attn": "multihead_attn"}
NORMS = {name: name for name in ("norm1", "norm2", "norm3")}
PLAIN_PARTS = {"ffn.fc1": "linear1", "ffn.fc2": "linear2", **NORMS}
"""The contract's names of a layer's parts, and torch's."""


def sinusoids(length: int, d_model: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """The positional table (length, d_model) of exercise 1, straight from its formula."""
    column = torch.arange(d_model, dtype=torch.float64)
    pair = (column - column % 2) / d_model
    angle = torch.arange(length, dtype=torch.float64).unsqueeze(1) / 10000.0**pair  # (length, d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).to(dtype)


class _Parameters:
    """A student's parameters by name. Asking for one that is missing or of another shape breaks the law."""

    def __init__(self, named: Mapping[str, Tensor], dtype: torch.dtype) -> None:
        self._named = {name: value.detach().to("cpu", dtype, copy=True) for name, value in named.items()}

    def get(self, name: str, shape: tuple[int, ...] | None = None) -> Tensor:
        if name not in self._named:
            raise LawBroken(f"the model has no parameter `{name}`.")
        value = self._named[name]
        if shape is not None and tuple(value.shape) != shape:
            found = tuple(value.shape)
            raise LawBroken(f"the parameter `{name}` should have shape {shape}, but it has shape {found}.")
        return value

    def depth(self, stack: str) -> int:
        """Number of layers of the `encoder` or the `decoder`."""
        numbers = {name.split(".")[1] for name in self._named if name.startswith(f"{stack}.")}
        return len({number for number in numbers if number.isdigit()})


class JudgeTransformer(nn.Module):
    """The contract's Transformer (post-norm, no final norm, scaled embeddings, sinusoids) in eval mode."""

    def __init__(self, parameters: _Parameters, *, num_heads: int, pad_id: int) -> None:
        super().__init__()
        self.pad_id = pad_id
        self.src_embed = parameters.get("src_embed.weight")
        self.tgt_embed = parameters.get("tgt_embed.weight")
        self.d_model = self.src_embed.size(1)
        self.encoder = _stack(nn.TransformerEncoderLayer, "encoder", parameters, num_heads)
        self.decoder = _stack(nn.TransformerDecoderLayer, "decoder", parameters, num_heads)
        self.out_weight = parameters.get("out_proj.weight")
        self.out_bias = parameters.get("out_proj.bias", (self.out_weight.size(0),))
        self.eval()

    @classmethod
    def from_student(
        cls,
        parameters: Mapping[str, Tensor],
        *,
        num_heads: int,
        pad_id: int,
        dtype: torch.dtype = torch.float64,
    ) -> "JudgeTransformer":
        """Copy the `parameters` of a model. A missing name or a wrong shape raises `LawBroken`."""
        return cls(_Parameters(parameters, dtype), num_heads=num_heads, pad_id=pad_id)

    @torch.no_grad()
    def encode(self, src: Tensor) -> Tensor:
        """The memory (B, Ts, d_model) of the source ids (B, Ts); padding is masked."""
        x = self._embed(self.src_embed, src)
        for block in self.encoder:
            x = block(x, src_key_padding_mask=src == self.pad_id)
        return x

    @torch.no_grad()
    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor, *, causal: bool = True) -> Tensor:
        """The decoder's output (B, Tt, d_model), under both padding masks and, if `causal`, the causal one."""
        x = self._embed(self.tgt_embed, tgt)
        size = (tgt.size(1), tgt.size(1))
        later = torch.ones(size, dtype=torch.bool).triu(1) if causal else None  # in torch's layers True means blocked
        for block in self.decoder:
            x = block(
                x,
                memory,
                tgt_mask=later,
                tgt_key_padding_mask=tgt == self.pad_id,
                memory_key_padding_mask=src == self.pad_id,
            )
        return x

    @torch.no_grad()
    def logits(self, src: Tensor, tgt: Tensor) -> Tensor:
        """The logits (B, Tt, tgt_vocab), as `model(src, tgt)` should give them in eval mode."""
        return self._project(self.decode(tgt, self.encode(src), src))

    @torch.no_grad()
    def greedy(self, src: Tensor, max_len: int, sos: int, eos: int, *, causal: bool = True) -> Tensor:
        """Free-running greedy decoding (B, <= max_len): SOS first and counted, `pad_id` after EOS.

        Without `causal` it is what comes of forgetting the causal mask while decoding.
        """
        memory = self.encode(src)
        ids = torch.full((src.size(0), 1), sos, dtype=torch.int64)
        over = torch.zeros(src.size(0), dtype=torch.bool)
        while ids.size(1) < max_len and not over.all():
            last = self.decode(ids, memory, src, causal=causal)[:, -1]  # (B, d_model)
            best = self._project(last).argmax(-1).masked_fill(over, self.pad_id)
            ids = torch.cat([ids, best.unsqueeze(1)], dim=1)
            over = over | (best == eos)
        return ids

    def _embed(self, table: Tensor, ids: Tensor) -> Tensor:
        positions = sinusoids(ids.size(1), self.d_model, table.dtype)
        return table[ids] * math.sqrt(self.d_model) + positions  # (B, T, d_model)

    def _project(self, x: Tensor) -> Tensor:
        return x @ self.out_weight.mT + self.out_bias  # (..., tgt_vocab)


def _stack(
    kind: type[nn.TransformerEncoderLayer] | type[nn.TransformerDecoderLayer],
    stack: str,
    parameters: _Parameters,
    num_heads: int,
) -> nn.ModuleList:
    """The layers of one stack, each holding the student's parameters of the layer of the same number."""
    layers = nn.ModuleList()
    for number in range(parameters.depth(stack)):
        own = f"{stack}.{number}"
        d_ff, d_model = parameters.get(f"{own}.ffn.fc1.weight").shape
        with torch.random.fork_rng(devices=[]):  # torch draws parameters that are replaced at once
            layer = kind(d_model, num_heads, d_ff, dropout=0.0, batch_first=True, norm_first=False)
        _load(layer.to(parameters.get(f"{own}.ffn.fc1.weight").dtype), own, parameters)
        layers.append(layer)
    return layers


def _load(layer: nn.Module, own: str, parameters: _Parameters) -> None:
    """Fill torch's `layer` with the student's parameters under the name `own`."""
    parts = dict(layer.named_children())
    for theirs, name in PLAIN_PARTS.items():
        if name in parts:
            for parameter_name, parameter in parts[name].named_parameters():
                value = parameters.get(f"{own}.{theirs}.{parameter_name}", tuple(parameter.shape))
                parameter.data.copy_(value)
    for theirs, name in ATTENTIONS.items():
        if name in parts:
            _load_attention(parts[name], f"{own}.{theirs}", parameters)


def _load_attention(attention: nn.Module, own: str, parameters: _Parameters) -> None:
    """Torch keeps the three input projections in one tensor, query first, then key, then value."""
    assert isinstance(attention, nn.MultiheadAttention)
    square, width = (attention.embed_dim, attention.embed_dim), (attention.embed_dim,)
    for kind, shape, packed, out in (
        ("weight", square, attention.in_proj_weight, attention.out_proj.weight),
        ("bias", width, attention.in_proj_bias, attention.out_proj.bias),
    ):
        inputs = [parameters.get(f"{own}.{name}.{kind}", shape) for name in ("w_q", "w_k", "w_v")]
        packed.data.copy_(torch.cat(inputs))
        out.data.copy_(parameters.get(f"{own}.w_o.{kind}", shape))
