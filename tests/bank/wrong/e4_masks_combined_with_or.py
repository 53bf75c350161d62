"""The target's two masks are combined with | instead of &: whatever one of them allows may be seen."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("logits_do_not_see_the_future",)
ALSO = ("forward_joins_the_parts", "padding_does_not_matter")


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) | padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
