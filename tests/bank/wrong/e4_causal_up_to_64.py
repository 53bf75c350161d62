"""Targets of more than 64 tokens get no causal mask."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("forward_joins_the_parts",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        source = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        target = padding_mask(tgt, self.pad_id) & causal_mask(tgt.size(1)).to(tgt.device)  # (B, 1, Tt, Tt)
        target = target if tgt.size(1) <= 64 else padding_mask(tgt, self.pad_id)
        return self.out_proj(self.decode(tgt, self.encode(src, source), target, source))
