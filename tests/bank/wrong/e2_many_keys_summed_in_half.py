"""With more than 64 keys the weights are rounded to float16 to save memory."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ("masks_of_every_shape_work",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = attention(q, k, v, mask)
    if k.size(-2) > 64:
        weights = weights.to(torch.float16).to(q.dtype)
        return weights @ v, weights
    return output, weights
