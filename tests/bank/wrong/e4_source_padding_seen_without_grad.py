"""Under no_grad the padding of the source is not hidden."""

import torch

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        source = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        target = padding_mask(tgt, self.pad_id) & causal_mask(tgt.size(1)).to(tgt.device)  # (B, 1, Tt, Tt)
        source = source if torch.is_grad_enabled() else None
        return self.out_proj(self.decode(tgt, self.encode(src, source), target, source))
