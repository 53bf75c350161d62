"""The scores are multiplied by the mask, so a blocked key has the score 0 and still takes part in the softmax."""

import math

LAWS = ("a_blocked_key_has_weight_zero", "masks_of_every_shape_work")
ALSO = (
    "a_fully_masked_query_gets_zeros",
    "large_scores_do_not_overflow",
    "padding_is_as_good_as_deleted",
    "the_future_changes_nothing",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores * mask
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
