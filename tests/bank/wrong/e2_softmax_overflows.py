"""The softmax by hand does not subtract the row's largest score, so exp overflows."""

import math

LAWS = ("large_scores_do_not_overflow",)
ALSO = ("a_blocked_key_has_weight_zero", "a_fully_masked_query_gets_zeros")


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask & mask.any(dim=-1, keepdim=True), float("-inf"))
    exp = scores.exp()
    weights = exp / exp.sum(dim=-1, keepdim=True)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
