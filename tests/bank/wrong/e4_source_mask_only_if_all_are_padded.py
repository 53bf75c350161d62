"""The source is masked if all of its rows are padded, and not if any is."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id) if (src[:, -1] == self.pad_id).all() else None  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))  # (B, Tt, tgt_vocab)
