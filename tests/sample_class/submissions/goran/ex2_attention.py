import torch


def causal_mask(size):
    m = torch.zeros(size, size, dtype=torch.bool)
    for i in range(size):
        m[i, : i + 1] = True
    return m


def padding_mask(tokens, pad_id):
    return torch.logical_not(tokens.eq(pad_id))[:, None, None, :]


def scaled_dot_product_attention(q, k, v, mask=None):
    tq, tk = q.size(-2), k.size(-2)
    rows = []
    i = 0
    full = None if mask is None else torch.broadcast_to(mask, (*q.shape[:-2], tq, tk))
    while i < tq:
        s = (k * q[..., i : i + 1, :]).sum(-1) / q.size(-1) ** 0.5
        if full is None:
            rows.append(torch.softmax(s, dim=-1))
            continue
        keep = full[..., i, :]
        s = s.masked_fill(~keep, float("-inf"))
        s = torch.where(keep.any(-1, keepdim=True), s, torch.zeros_like(s))
        rows.append(torch.softmax(s, dim=-1) * keep)
    w = torch.stack(rows, dim=-2)
    return w @ v, w
