"""The softmax by hand subtracts the largest score of the whole tensor instead of each row's own."""

import math

LAWS = ("large_scores_do_not_overflow",)
ALSO = ("a_fully_masked_query_gets_zeros",)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask & mask.any(dim=-1, keepdim=True), float("-inf"))
    exp = (scores - scores.max()).exp()
    weights = exp / exp.sum(dim=-1, keepdim=True)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
