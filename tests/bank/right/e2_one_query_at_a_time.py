"""A loop over the queries, and a softmax over the open scores of each."""

import torch


def causal_mask(size):
    mask = torch.zeros(size, size, dtype=torch.bool)
    for i in range(size):
        mask[i, : i + 1] = True
    return mask


def padding_mask(tokens, pad_id):
    return torch.logical_not(tokens.eq(pad_id))[:, None, None, :]  # (B, 1, 1, T)


def scaled_dot_product_attention(q, k, v, mask=None):
    rows = []
    full = None if mask is None else torch.broadcast_to(mask, (*q.shape[:-1], k.size(-2)))
    for i in range(q.size(-2)):
        scores = (k * q[..., i : i + 1, :]).sum(-1) / q.size(-1) ** 0.5  # (..., Tk)
        if full is None:
            rows.append(torch.softmax(scores, dim=-1))
            continue
        keep = full[..., i, :]
        scores = scores.masked_fill(~keep, float("-inf"))
        scores = torch.where(keep.any(-1, keepdim=True), scores, torch.zeros_like(scores))
        rows.append(torch.softmax(scores, dim=-1) * keep)
    weights = torch.stack(rows, dim=-2)  # (..., Tq, Tk)
    return weights @ v, weights
