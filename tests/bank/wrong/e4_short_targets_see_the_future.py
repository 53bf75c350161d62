"""The causal mask is left out for targets of one or two tokens, as they have no future to speak of."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("forward_joins_the_parts",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, self.pad_id), padding_mask(tgt, self.pad_id)  # (B, 1, 1, T)
        if tgt.size(1) > 2:
            tgt_mask = tgt_mask & causal_mask(tgt.size(1)).to(tgt.device)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
