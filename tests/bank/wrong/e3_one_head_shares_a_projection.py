"""With one head, keys and values go through the same projection."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("four_projections_of_their_own",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        if num_heads == 1:
            self.w_v = self.w_k
