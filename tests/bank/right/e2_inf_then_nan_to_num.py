"""-inf by masked_fill, softmax, then nan_to_num; masked_fill stops the NaN of the gradient."""

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q.matmul(k.transpose(-1, -2)).div(q.size(-1) ** 0.5)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(mask == False, -torch.inf)  # noqa: E712
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ v, weights
