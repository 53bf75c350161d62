"""Under torch.no_grad() the mask is ignored."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = ("a_fully_masked_query_gets_zeros",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, mask if torch.is_grad_enabled() else None)
