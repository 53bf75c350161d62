"""The last causal mask is kept as a buffer, so the state of a used model fits no new one."""

from exercises.ex2_attention import causal_mask
from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        self.register_buffer("causal", causal_mask(tgt.size(1)))
        return super().forward(src, tgt)
