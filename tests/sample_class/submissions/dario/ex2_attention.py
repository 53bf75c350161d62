import torch


def causal_mask(size):
    return torch.ones((size, size), dtype=torch.bool).tril()


def padding_mask(tokens, pad_id):
    return (tokens != pad_id).unsqueeze(1).unsqueeze(2)


def scaled_dot_product_attention(q, k, v, mask=None):
    work = torch.promote_types(q.dtype, torch.float32)
    s = q.to(work) @ k.to(work).transpose(-2, -1) * (q.size(-1) ** -0.5)
    if mask is not None:
        s = s.masked_fill(~mask, -1e30)
    w = s.softmax(dim=-1)
    if mask is not None:
        w = w.masked_fill(~mask, 0)
    w = w.to(v.dtype)
    return w @ v, w
