"""The softmax runs over axis 1, which holds the heads of a batch, and not over the keys, the last axis."""

import math

import torch

LAWS = ("rows_of_weights_sum_to_one",)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "attention_agrees_with_torch",
    "gradients_flow_and_are_right",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "order_has_no_meaning",
    "padding_is_as_good_as_deleted",
    "scores_are_divided_by_the_root_of_d_k",
    "the_future_changes_nothing",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=min(1, scores.dim() - 1))
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
