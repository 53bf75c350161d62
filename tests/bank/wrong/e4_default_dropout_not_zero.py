"""Layers and feed-forward network drop a tenth of the entries when no dropout is asked for."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer, FeedForward

LAWS = ("feed_forward_follows_its_formula", "encoder_layer_agrees_with_torch", "decoder_layer_agrees_with_torch")
ALSO = ()


class FeedForward(FeedForward):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__(d_model, d_ff, dropout)


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__(d_model, num_heads, d_ff, dropout)


class DecoderLayer(DecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1):
        super().__init__(d_model, num_heads, d_ff, dropout)
