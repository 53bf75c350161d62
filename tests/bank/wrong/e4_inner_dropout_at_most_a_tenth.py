"""The attentions of a layer drop at most a tenth of their weights."""

from exercises.ex3_multi_head_attention import MultiHeadAttention
from solutions.ex4_transformer import EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ("every_part_has_its_parameters",)


class EncoderLayer(EncoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, min(dropout, 0.1))
