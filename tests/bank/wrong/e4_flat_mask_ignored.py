"""The decoder layer uses tgt_mask only if it has four axes; a mask (T, T) is ignored."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = ("decode_agrees_with_torch",)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        flat = tgt_mask is not None and tgt_mask.dim() < 4
        return super().forward(x, memory, None if flat else tgt_mask, memory_mask)
