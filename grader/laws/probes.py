"""Known little modules, built beside a student's code as subjects for `train_step` and the like."""

import torch
from torch import Tensor, nn


class RecordingSeq2Seq(nn.Module):
    """A small model with a Transformer's signature that remembers each forward pass made with gradients on.

    Its logits depend on every token of both sides, and on the order of the source's tokens. With `spare` it has
    a parameter that no forward pass uses.
    """

    def __init__(self, vocab: int, d_model: int, spare: bool = False, dropout: float = 0.0) -> None:
        super().__init__()
        self.d_model, self.pad_id = d_model, 0
        self.src_embed = nn.Embedding(vocab, d_model)
        self.tgt_embed = nn.Embedding(vocab, d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.out_proj = nn.Linear(d_model, vocab)
        if spare:
            self.spare = nn.Parameter(torch.ones(d_model))
        self._calls: list[tuple[Tensor, Tensor, Tensor, str]] = []

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        if torch.is_grad_enabled():
            parameters = torch.cat([parameter.detach().flatten() for parameter in self.parameters()])
            parts = [f"its {name}" if name else "the model" for name, part in self.named_modules() if not part.training]
            in_eval = " and ".join(parts[:1] if parts[:1] == ["the model"] else parts)
            self._calls.append((src.detach().clone(), tgt.detach().clone(), parameters, in_eval))
        near = 1.0 / torch.arange(1, src.size(1) + 1, device=src.device)
        weights = near.to(self.src_embed.weight.dtype).unsqueeze(1)  # (Ts, 1): earlier tokens count for more
        source = (self.src_embed(src) * weights).sum(dim=1, keepdim=True)  # (B, 1, d_model)
        return self.out_proj(self.dropout((self.tgt_embed(tgt) + source).tanh()))  # (B, Tt, vocab)

    def calls(self) -> list[tuple[Tensor, Tensor, Tensor, str]]:
        """The forward passes since this was last asked: `src`, `tgt`, all parameters as one vector as they
        were then, and whether the model or which of its parts was in eval mode, in words."""
        calls, self._calls = self._calls, []
        return calls


class PartsWithGradients(nn.Module):
    """Parameters of several shapes and depths, on which a law sets `.grad` itself, and a buffer."""

    def __init__(self, width: int, frozen: bool) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))
        self.register_buffer("steps", torch.zeros(()))
        self.layers = nn.ModuleList([nn.Linear(width, width + 1), nn.LayerNorm(width + 1)])
        if frozen:
            self.frozen = nn.Linear(width, 2, bias=False).requires_grad_(False)


class DecodingWatch(nn.Module):
    """Looks on while another module's parts run: does any result ask for a gradient, is any part in training mode?"""

    def __init__(self, watched: nn.Module) -> None:
        super().__init__()
        self.saw_a_graph = False
        self.saw_training = False
        for part in watched.modules():
            part.register_forward_hook(self._look)

    def _look(self, part: nn.Module, inputs: object, result: object) -> None:  # noqa: ARG002 - a hook's signature
        results = result if isinstance(result, tuple) else (result,)
        self.saw_training |= part.training
        self.saw_a_graph |= any(isinstance(value, Tensor) and value.requires_grad for value in results)
