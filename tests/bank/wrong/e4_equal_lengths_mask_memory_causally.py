"""When target and memory have the same length, the cross-attention gets tgt_mask."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decode_agrees_with_torch",)
ALSO = (
    "padding_does_not_matter",
    "decoder_layer_agrees_with_torch",
)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        same = x.size(1) == memory.size(1)
        return super().forward(x, memory, tgt_mask, tgt_mask if same else memory_mask)
