"""The encoder layer passes the mask to its attention in eval mode only."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("encoder_layer_agrees_with_torch",)
ALSO = ("encode_agrees_with_torch", "padding_does_not_matter")


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        return super().forward(x, None if self.training else mask)
