"""Blocked weights are zeroed after the softmax and the rest scaled up, so a large blocked score leaves nothing."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = ("dtype_and_device_of_the_inputs",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v)  # (B, H, Tq, Tk)
        if mask is not None:
            weights = weights * mask
            total = weights.sum(-1, keepdim=True)
            weights = weights / total.masked_fill(total == 0, 1.0)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
