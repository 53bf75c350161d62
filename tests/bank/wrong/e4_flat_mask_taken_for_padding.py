"""A mask (T, T) with as many rows as there are samples is taken for one row per sample."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = ()


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        if tgt_mask is not None and tgt_mask.dim() == 2 and len(tgt_mask) == len(x):
            tgt_mask = tgt_mask[:, None, None, :]  # (B, 1, 1, T)
        return super().forward(x, memory, tgt_mask, memory_mask)
