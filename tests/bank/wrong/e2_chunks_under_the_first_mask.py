"""Queries are taken in chunks of 64, all under the first chunk's part of the mask."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_fully_masked_query_gets_zeros",)


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None or mask.dim() < 2 or mask.size(-2) == 1:
        return _right(q, k, v, mask)
    parts = [_right(part, k, v, mask[..., : part.size(-2), :]) for part in q.split(64, dim=-2)]
    outputs, weights = zip(*parts, strict=True)
    return torch.cat(outputs, dim=-2), torch.cat(weights, dim=-2)  # (..., Tq, d_v), (..., Tq, Tk)
