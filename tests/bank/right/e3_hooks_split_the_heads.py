"""Forward hooks on w_q, w_k and w_v split the heads, and a hook before w_o joins them."""

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        for projection in (self.w_q, self.w_k, self.w_v):
            projection.register_forward_hook(self.split)
        self.w_o.register_forward_pre_hook(self.join)

    def split(self, _module, _inputs, projected):
        return projected.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2)  # (B, H, T, d_k)

    def join(self, _module, inputs):
        return inputs[0].transpose(1, 2).flatten(-2)  # (B, T, d_model)

    def forward(self, query, key, value, mask=None):
        v = self.w_v(value)
        _, weights = scaled_dot_product_attention(self.w_q(query), self.w_k(key), v, mask)  # (B, H, Tq, Tk)
        return self.w_o(self.dropout(weights) @ v), weights
