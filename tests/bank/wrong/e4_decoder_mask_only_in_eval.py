"""The decoder layer passes tgt_mask to its self-attention in eval mode only."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = ("decode_agrees_with_torch", "logits_do_not_see_the_future", "padding_does_not_matter")


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        return super().forward(x, memory, None if self.training else tgt_mask, memory_mask)
