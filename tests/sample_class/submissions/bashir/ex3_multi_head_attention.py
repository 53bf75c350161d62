import torch
from torch import nn
import torch.nn.functional as F
from exercises.ex2_attention import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        self.size, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_o = nn.Linear(d_model, d_model, bias)
        self.w_v = nn.Linear(d_model, d_model, bias)
        self.w_k = nn.Linear(d_model, d_model, bias)
        self.w_q = nn.Linear(d_model, d_model, bias)
        self.p = dropout

    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        outs, ws = [], []
        for h in range(self.num_heads):
            part = slice(h * self.size, (h + 1) * self.size)
            m = mask
            if m is not None and m.dim() == 4:
                m = m[:, h if m.size(1) > 1 else 0]
            _, w = scaled_dot_product_attention(q[..., part], k[..., part], v[..., part], m)
            outs.append(F.dropout(w, self.p, self.training) @ v[..., part])
            ws.append(w)
        return self.w_o(torch.cat(outs, dim=-1)), torch.stack(ws, dim=1)
