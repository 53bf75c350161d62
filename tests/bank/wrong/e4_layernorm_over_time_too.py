"""The norm takes mean and variance over all tokens of a sequence together, not of each token."""

from torch import nn

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("zero_sublayers_leave_the_norms",)
ALSO = (
    "encoder_layer_agrees_with_torch",
    "decoder_layer_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
    "encode_agrees_with_torch",
    "decode_agrees_with_torch",
    "logits_do_not_see_the_future",
    "padding_does_not_matter",
)


class SequenceNorm(nn.LayerNorm):
    def forward(self, x):
        mean = x.mean(dim=(1, 2), keepdim=True)  # (B, 1, 1)
        variance = x.var(dim=(1, 2), keepdim=True, unbiased=False)  # (B, 1, 1)
        return (x - mean) / (variance + self.eps).sqrt() * self.weight + self.bias


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, *args, **kwargs):
        super().__init__(d_model, *args, **kwargs)
        self.norm1, self.norm2 = SequenceNorm(d_model), SequenceNorm(d_model)


class DecoderLayer(DecoderLayer):
    def __init__(self, d_model, *args, **kwargs):
        super().__init__(d_model, *args, **kwargs)
        self.norm1, self.norm2, self.norm3 = SequenceNorm(d_model), SequenceNorm(d_model), SequenceNorm(d_model)
