"""The layers do not pass their dropout on to the feed-forward network."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer, FeedForward

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.ffn = FeedForward(d_model, d_ff)


class DecoderLayer(DecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.ffn = FeedForward(d_model, d_ff)
