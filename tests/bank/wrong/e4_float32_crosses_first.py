"""In float32 the decoder layer attends to the memory before it attends to itself."""

import torch

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = (
    "decode_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        if x.dtype != torch.float32:
            return super().forward(x, memory, tgt_mask, memory_mask)
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory, memory_mask)[0]))
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, tgt_mask)[0]))
        return self.norm3(x + self.dropout(self.ffn(x)))
