"""The joined heads are returned as they are: w_o is never used."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("self_attention_agrees_with_torch", "gradients_reach_everything")
ALSO = (
    "cross_attention_agrees_with_torch",
    "every_size_works",
    "query_key_and_value_may_all_differ",
    "query_without_keys_gets_nothing",
    "dropout_acts_on_the_weights",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        return (self.dropout(weights) @ v).transpose(1, 2).flatten(-2), weights
