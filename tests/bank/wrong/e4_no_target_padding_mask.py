"""The target's mask is the causal one alone, so padding inside a target is seen by later tokens.

Decided: wrong. By the contract `forward` builds the padding and causal masks itself, for both sides.
"""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, self.pad_id), causal_mask(tgt.size(1)).to(tgt.device)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
