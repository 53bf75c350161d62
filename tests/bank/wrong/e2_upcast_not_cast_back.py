"""The softmax is computed in float32 and its result not converted back to the dtype of the inputs."""

import math

import torch

LAWS = ("every_floating_dtype_works",)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "gradients_flow_and_are_right",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.float().softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
