"""The mask is applied only after the softmax, so the blocked keys still take their share in its denominator."""

import math

LAWS = ("rows_of_weights_sum_to_one",)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "masks_of_every_shape_work",
    "padding_is_as_good_as_deleted",
    "the_future_changes_nothing",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
