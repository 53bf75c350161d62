"""What decode gives is dropped once more before the projection."""

from torch import nn

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("forward_joins_the_parts",)
ALSO = ("gradients_reach_every_parameter",)


class Transformer(Transformer):
    def __init__(self, *args, dropout, **options):
        super().__init__(*args, dropout=dropout, **options)
        self.dropout = nn.Dropout(dropout)

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        hidden = self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask)  # (B, Tt, d_model)
        return self.out_proj(self.dropout(hidden))  # (B, Tt, tgt_vocab)
