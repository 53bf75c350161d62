"""The softmax runs over the queries, so the columns of the weights sum to one, not the rows."""

import math

LAWS = ("rows_of_weights_sum_to_one",)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "attention_agrees_with_torch",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "scores_are_divided_by_the_root_of_d_k",
    "the_future_changes_nothing",
    "gradients_flow_and_are_right",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask & mask.any(dim=-1, keepdim=True), float("-inf"))
    weights = scores.softmax(dim=-2)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
