"""In bfloat16 the mask is ignored."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("every_floating_dtype_works",)
ALSO = ("a_blocked_key_has_weight_zero", "a_fully_masked_query_gets_zeros", "masks_of_every_shape_work")

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if q.dtype == torch.bfloat16 else mask)
