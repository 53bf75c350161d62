"""The cross-attention never gets memory_mask, so the target sees the source's padding."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch", "padding_does_not_matter")
ALSO = ("decode_agrees_with_torch",)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        return super().forward(x, memory, tgt_mask)
