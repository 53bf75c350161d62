"""Where entries are dropped, in training, the causal mask is forgotten."""

from exercises.ex2_attention import padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("logits_do_not_see_the_future",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        if not self.training or self.position.dropout.p == 0:
            return super().forward(src, tgt)
        src_mask, tgt_mask = padding_mask(src, self.pad_id), padding_mask(tgt, self.pad_id)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
