"""The output comes from torch's own F.scaled_dot_product_attention, and the weights are computed beside it.

Decided: wrong. The values are right, but attention is what this exercise asks for: calling the library's own loses
the law that the work is one's own, and nothing else.
"""

from torch.nn import functional as F

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("the_work_is_your_own",)
ALSO = ("masks_of_every_shape_work",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = attention(q, k, v, mask)[1]
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v), weights
    some = mask.any(dim=-1, keepdim=True)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask | ~some) * some, weights
