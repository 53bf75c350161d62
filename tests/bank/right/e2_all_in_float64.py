"""Everything in float64 inside, einsum instead of matmul, and back to the dtype of the inputs."""

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", q.double(), k.double()) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(torch.float64).min)
    weights = torch.softmax(scores, -1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return torch.einsum("...qk,...kd->...qd", weights, v.double()).to(q.dtype), weights.to(q.dtype)
