"""The masks are floats to be added, and the padding mask is (1 - real) * -inf, which is NaN at every real token."""

import math

import torch

LAWS = ("the_padding_mask_is_true_at_real_tokens", "padding_is_as_good_as_deleted")
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "masks_of_every_shape_work",
    "the_causal_mask_is_a_lower_triangle",
    "the_future_changes_nothing",
)


def causal_mask(size):
    return torch.triu(torch.full((size, size), float("-inf")), diagonal=1)  # (T, T)


def padding_mask(tokens, pad_id):
    real = (tokens != pad_id).float()
    return ((1.0 - real) * float("-inf"))[:, None, None, :]  # (B, 1, 1, T)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
