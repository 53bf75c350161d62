import torch
from torch import nn
import torch.nn.functional as F
from exercises.ex2_attention import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        super().__init__()
        self.heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)
        self.attn_dropout = nn.Dropout(dropout)

    def _heads(self, x):
        return torch.stack(x.chunk(self.heads, dim=2), dim=1)

    def forward(self, query, key, value, mask=None):
        q, k, v = self._heads(self.w_q(query)), self._heads(self.w_k(key)), self._heads(self.w_v(value))
        weights = scaled_dot_product_attention(q, k, v, mask)[1]
        joined = torch.cat(torch.matmul(self.attn_dropout(weights), v).unbind(dim=1), dim=2)
        return self.w_o(joined, weights
