"""When there are as many queries as keys the future is blocked, whatever the mask says."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ("masks_of_every_shape_work", "padding_is_as_good_as_deleted", "a_fully_masked_query_gets_zeros")

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    size = q.size(-2)
    if size == k.size(-2):
        causal = torch.ones(size, size, dtype=torch.bool, device=q.device).tril()  # (T, T)
        mask = causal if mask is None else mask & causal
    return attention(q, k, v, mask)
