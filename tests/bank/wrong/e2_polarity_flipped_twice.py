"""Both masks are True where blocked, and attention reads True as 'blocked': the two faults cancel out."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = (
    "the_causal_mask_is_a_lower_triangle",
    "the_padding_mask_is_true_at_real_tokens",
    "masks_of_every_shape_work",
)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_call_leaves_nothing_behind",
    "a_fully_masked_query_gets_zeros",
    "gradients_flow_and_are_right",
)

attention = scaled_dot_product_attention


def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).triu(diagonal=1)  # (T, T)


def padding_mask(tokens, pad_id):
    return (tokens == pad_id)[:, None, None, :]  # (B, 1, 1, T)


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if mask is None else ~mask)
