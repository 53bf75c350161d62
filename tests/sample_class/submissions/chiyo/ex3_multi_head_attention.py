import torch
from torch import nn
import torch.nn.functional as F
from exercises.ex2_attention import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True, **kwargs):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def _project(self, query, key, value):
        if query is key and key is value:
            weight = torch.cat([self.w_q.weight, self.w_k.weight, self.w_v.weight])
            bias = None if self.w_q.bias is None else torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias])
            return F.linear(query, weight, bias).chunk(3, dim=-1)
        return self.w_q(query), self.w_k(key), self.w_v(value)

    def forward(self, query, key, value, mask=None):
        q, k, v = (x.reshape(x.size(0), x.size(1), self.num_heads, self.d_k).permute(0, 2, 1, 3)
                   for x in self._project(query, key, value))
        _, w = scaled_dot_product_attention(q, k, v, mask)
        y = (self.dropout(w) @ v).permute(0, 2, 1, 3).contiguous().view(query.size(0), query.size(1), -1)
        return self.w_o(y), w
