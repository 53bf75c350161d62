"""The target's mask is kept on the model and used again for every later target of the same shape."""

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ("dtype_and_device_of_the_inputs", "padding_does_not_matter")


class Transformer(Transformer):
    def forward(self, src, tgt):
        if getattr(self, "tgt_mask", None) is None or self.tgt_mask.shape[::3] != tgt.shape:
            causal = causal_mask(tgt.size(1)).to(tgt.device)
            self.tgt_mask = causal & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), self.tgt_mask, src_mask))
