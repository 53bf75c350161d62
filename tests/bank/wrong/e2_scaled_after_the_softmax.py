"""The weights are divided by sqrt(d_k) after the softmax, not the scores before it."""

import math

import torch

LAWS = ("rows_of_weights_sum_to_one", "scores_are_divided_by_the_root_of_d_k")
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "attention_agrees_with_torch",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "the_future_changes_nothing",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1) / math.sqrt(q.size(-1))
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
