"""Blocked scores are set to -1e9, a number that float16 cannot hold."""

import math

LAWS = ("every_floating_dtype_works",)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "gradients_flow_and_are_right",
    "masks_of_every_shape_work",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
