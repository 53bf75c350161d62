"""The causal mask is cut from a table of 64 x 64, whatever max_len is."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("too_long_sequences_raise",)
ALSO = ("forward_joins_the_parts",)


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        causal = causal_mask(64)[: tgt.size(1), : tgt.size(1)].to(tgt.device)
        tgt_mask = causal & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
