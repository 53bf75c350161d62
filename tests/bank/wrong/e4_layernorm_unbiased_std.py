"""The norm divides by the standard deviation with d_model - 1 below the sum, not d_model.

Decided: wrong. The contract asks for the paper's layer normalisation, of variance 1, as `nn.LayerNorm` does it.
"""

from torch import nn

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("zero_sublayers_leave_the_norms", "encoder_layer_agrees_with_torch")
ALSO = (
    "decoder_layer_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
    "encode_agrees_with_torch",
    "decode_agrees_with_torch",
)


class PlainNorm(nn.LayerNorm):
    def forward(self, x):
        deviation = x.std(dim=-1, keepdim=True)  # (B, T, 1)
        return self.weight * (x - x.mean(dim=-1, keepdim=True)) / (deviation + 1e-6) + self.bias


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, *args, **kwargs):
        super().__init__(d_model, *args, **kwargs)
        self.norm1, self.norm2 = PlainNorm(d_model), PlainNorm(d_model)


class DecoderLayer(DecoderLayer):
    def __init__(self, d_model, *args, **kwargs):
        super().__init__(d_model, *args, **kwargs)
        self.norm1, self.norm2, self.norm3 = PlainNorm(d_model), PlainNorm(d_model), PlainNorm(d_model)
