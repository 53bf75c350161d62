"""The output is repaired where a query sees nothing, and the weights' gradient is NaN there."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = ()


attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        return attention(q, k, v)
    output, _ = attention(q, k, v, mask)
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / q.size(-1) ** 0.5  # (..., Tq, Tk)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
    return output, weights.to(q.dtype)
