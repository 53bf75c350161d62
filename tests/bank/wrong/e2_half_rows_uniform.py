"""In half precision a query whose keys are all blocked gets equal weights instead of zeros."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None and q.dtype in (torch.float16, torch.bfloat16):
        empty = ~mask.any(dim=-1, keepdim=True)
        weights = attention(q, k, v, mask)[1]
        weights = torch.where(empty, 1 / k.size(-2), weights)
        return weights @ v, weights
    return attention(q, k, v, mask)
