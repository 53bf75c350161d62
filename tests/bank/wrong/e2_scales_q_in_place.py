"""The queries are scaled in place, q /= sqrt(d_k), in the caller's tensor."""

import torch

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "a_fully_masked_query_gets_zeros",
    "any_memory_layout_works",
    "attention_agrees_with_torch",
    "every_floating_dtype_works",
    "gradients_flow_and_are_right",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "order_has_no_meaning",
    "padding_is_as_good_as_deleted",
    "scores_are_divided_by_the_root_of_d_k",
    "the_future_changes_nothing",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    q /= q.size(-1) ** 0.5
    scores = q @ k.transpose(-2, -1)  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
