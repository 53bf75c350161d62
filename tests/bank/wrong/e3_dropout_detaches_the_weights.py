"""What is dropped needs no gradient, so the weights are detached in front of the dropout."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        kept = self.dropout(weights.detach()) if self.training and self.dropout.p else weights
        return self.w_o((kept @ v).transpose(1, 2).flatten(-2)), weights
