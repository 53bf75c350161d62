"""forward takes id 0 for padding, whatever pad_id is."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ("forward_joins_the_parts",)


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, 0)  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, 0)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
