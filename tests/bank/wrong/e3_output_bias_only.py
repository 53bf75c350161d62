"""bias=False reaches w_q, w_k and w_v, and w_o keeps its bias."""

from torch import nn

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("four_projections_of_their_own",)
ALSO = (
    "cross_attention_agrees_with_torch",
    "every_size_works",
    "query_key_and_value_may_all_differ",
    "self_attention_agrees_with_torch",
    "gradients_reach_everything",
)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.w_o = nn.Linear(d_model, d_model)
