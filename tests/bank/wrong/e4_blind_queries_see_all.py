"""A query that may see nothing is shown everything, lest there be NaN."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("encoder_layer_agrees_with_torch",)
ALSO = ("encode_agrees_with_torch",)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        return super().forward(x, mask if mask is None else mask | ~mask.any(-1, keepdim=True))
