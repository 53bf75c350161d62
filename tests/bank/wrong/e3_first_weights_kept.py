"""The output projection's weights are copied at the first call, so later training or loading does not change them."""

from torch.nn import functional as F

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("state_can_be_loaded_into_another", "nothing_is_left_behind")
ALSO = ("dtype_and_device_of_the_inputs", "gradients_reach_everything")


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.copy = None

    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        if self.copy is None:
            self.copy = self.w_o.weight.clone()
        mixed = (self.dropout(weights) @ v).transpose(1, 2).flatten(-2)  # (B, Tq, d_model)
        return F.linear(mixed, self.copy, self.w_o.bias), weights
