"""Features that the heads cannot share stop at an assert, which is not a ValueError."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("indivisible_features_raise",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        assert d_model % num_heads == 0, f"{d_model} features cannot be split over {num_heads} heads"
        super().__init__(d_model, num_heads, dropout, bias)
