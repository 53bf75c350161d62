"""Queries are taken in chunks of 64 with their rows of the mask: of a mask of one row the second gets none."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = [], []
    for start in range(0, q.size(-2), 64):
        rows = mask[..., start : start + 64, :] if mask is not None and mask.dim() > 1 else mask
        part = attention(q[..., start : start + 64, :], k, v, rows)
        output.append(part[0])
        weights.append(part[1])
    return torch.cat(output, dim=-2), torch.cat(weights, dim=-2)
