"""The ValueError says what is wrong in general, but not which sizes were given."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("indivisible_features_raise",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        super().__init__(d_model, num_heads, dropout, bias)
