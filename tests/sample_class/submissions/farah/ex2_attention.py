import math
import torch


def causal_mask(size):
    return torch.triu(torch.ones(size, size), diagonal=1) == 0


def padding_mask(tokens, pad_id):
    b, t = tokens.shape
    return torch.ne(tokens, pad_id).reshape(b, 1, 1, t)


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    e = torch.exp(s - s.amax(dim=-1, keepdim=True).detach())
    if mask is not None:
        e = e * mask
    total = e.sum(dim=-1, keepdim=True)
    w = e / total.masked_fill(total == 0, 1.0)
    return w @ v, w
