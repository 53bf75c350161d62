import math
import torch


def causal_mask(size):
    return torch.ones((size, size), dtype=torch.bool).tril()


def padding_mask(tokens, pad_id):
    return (tokens != pad_id).unsqueeze(1).unsqueeze(2)


def scaled_dot_product_attention(q, k, v, mask=None, **kwargs):
    q = q * (1.0 / math.sqrt(q.size(-1)))
    s = q @ k.transpose(-2, -1)
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    w = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True))
    if mask is not None:
        w = w.masked_fill(~mask, 0.0)
    return w @ v, w
