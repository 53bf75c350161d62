"""The nearer a key is to the query, the larger its score: the distance of their positions is subtracted."""

import math

import torch

LAWS = ("attention_agrees_with_torch", "order_has_no_meaning")
ALSO = (
    "every_floating_dtype_works",
    "masks_of_every_shape_work",
    "padding_is_as_good_as_deleted",
    "scores_are_divided_by_the_root_of_d_k",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    distance = torch.arange(q.size(-2), device=q.device)[:, None] - torch.arange(k.size(-2), device=q.device)
    scores = scores - distance.abs()  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(wide).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    weights = weights.to(q.dtype)  # (..., Tq, Tk)
    return weights @ v, weights  # (..., Tq, d_v), (..., Tq, Tk)
