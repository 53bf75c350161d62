"""The keys are reshaped to (..., d_k, Tk) instead of transposed, which mixes the features of different keys."""

import math

import torch

LAWS = ("attention_agrees_with_torch",)
ALSO = (
    "a_call_leaves_nothing_behind",
    "any_memory_layout_works",
    "every_floating_dtype_works",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "order_has_no_meaning",
    "padding_is_as_good_as_deleted",
    "results_are_on_the_device_of_the_inputs",
    "rows_of_weights_sum_to_one",
    "scores_are_divided_by_the_root_of_d_k",
    "the_future_changes_nothing",
    "the_work_is_your_own",
)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.reshape(*k.shape[:-2], k.size(-1), k.size(-2)) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
