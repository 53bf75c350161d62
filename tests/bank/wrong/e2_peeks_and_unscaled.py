"""The causal mask lets each position see the next one too, and the scores are not divided by sqrt(d_k)."""

import torch

LAWS = (
    "the_future_changes_nothing",
    "the_causal_mask_is_a_lower_triangle",
    "scores_are_divided_by_the_root_of_d_k",
)
ALSO = ("attention_agrees_with_torch",)


def causal_mask(size):
    return torch.ones(size, size, dtype=torch.bool).tril(diagonal=1)  # (T, T)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
