"""A source of nothing but padding is shown, lest the softmax give NaN."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        src_mask = src_mask | ~src_mask.any(dim=-1, keepdim=True)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))  # (B, Tt, tgt_vocab)
