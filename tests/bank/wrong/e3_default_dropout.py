"""Unless told otherwise weights are dropped: the default of `dropout` is 0.1."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_dropped_in_eval_mode",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.1, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
