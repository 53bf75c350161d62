"""The logits are squeezed, so a batch of one loses its first axis."""

from solutions.ex4_transformer import Transformer

LAWS = ("forward_joins_the_parts",)
ALSO = (
    "padding_does_not_matter",
    "too_long_sequences_raise",
    "dtype_and_device_of_the_inputs",
)


class Transformer(Transformer):
    def forward(self, src, tgt):
        return super().forward(src, tgt).squeeze(0)  # (B, Tt, tgt_vocab)
