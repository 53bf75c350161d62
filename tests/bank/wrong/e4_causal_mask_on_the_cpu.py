"""forward leaves the causal mask on the CPU."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)) & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))  # (B, Tt, tgt_vocab)
