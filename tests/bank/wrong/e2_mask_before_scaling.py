"""-1e9 is added before the division, and the blocked weights are never set to exactly 0."""

import math

LAWS = ("a_blocked_key_has_weight_zero",)
ALSO = (
    "a_fully_masked_query_gets_zeros",
    "every_floating_dtype_works",
    "gradients_flow_and_are_right",
    "masks_of_every_shape_work",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores + (~mask) * -1e9
    weights = (scores / math.sqrt(q.size(-1))).softmax(dim=-1)
    return weights @ v, weights
