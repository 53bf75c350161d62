"""A target of one token skips the cross-attention."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = ("decode_agrees_with_torch",)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        return super().forward(x, memory if x.size(1) > 1 else memory * 0, tgt_mask, memory_mask)
