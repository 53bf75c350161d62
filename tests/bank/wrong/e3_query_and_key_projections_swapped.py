"""The query goes through w_k and the key through w_q."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("self_attention_agrees_with_torch",)
ALSO = ("cross_attention_agrees_with_torch", "every_size_works", "query_key_and_value_may_all_differ")


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_k(query), self.w_q(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
