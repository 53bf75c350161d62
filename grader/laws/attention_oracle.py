"""The oracle of exercise 2: torch's own attention, in float64."""

import torch
from torch import Tensor
from torch.nn import functional as F


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """`(output, weights)` of `F.scaled_dot_product_attention`, computed in float64, in the dtype of `v`.

    The weights are the output for the unit vectors as values. A query without any key gets zeros, as in the
    contract (torch's versions differ there).
    """
    wide_q, wide_k, wide_v = (tensor.detach().to(torch.float64) for tensor in (q, k, v))
    shape = (*q.shape[:-1], k.shape[-2])
    allowed = torch.ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)  # (..., Tq, Tk)
    alive = allowed.any(dim=-1, keepdim=True)  # (..., Tq, 1)
    usable = allowed | ~alive
    units = torch.eye(k.shape[-2], dtype=torch.float64).expand(*k.shape[:-1], k.shape[-2])  # (..., Tk, Tk)
    output = F.scaled_dot_product_attention(wide_q, wide_k, wide_v, attn_mask=usable) * alive
    weights = F.scaled_dot_product_attention(wide_q, wide_k, units, attn_mask=usable) * alive
    return output.to(v.dtype), weights.to(v.dtype)
