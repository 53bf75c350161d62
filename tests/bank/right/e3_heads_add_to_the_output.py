"""Each head goes through its own columns of w_o, and the results are added up."""

from torch.nn import functional as F

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        mixed = self.dropout(weights) @ v  # (B, H, Tq, d_k)
        columns = self.w_o.weight.split(self.d_k, dim=1)  # H times (d_model, d_k)
        output = sum(F.linear(head, part) for head, part in zip(mixed.unbind(1), columns, strict=True))
        return output if self.w_o.bias is None else output + self.w_o.bias, weights
