"""A query that sees nothing in one head gets nothing from the others either."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("query_without_keys_gets_nothing",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        joined = (self.dropout(weights) @ v).transpose(1, 2).flatten(-2)  # (B, Tq, d_model)
        if mask is not None:
            blind = (weights == 0).all(-1).any(1)  # (B, Tq)
            joined = joined.masked_fill(blind.unsqueeze(-1), 0.0)
        return self.w_o(joined), weights
