"""A torch.autograd.Function of its own for the softmax, with its backward pass written out."""

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        top = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
        exp = (scores - top).exp().masked_fill(~mask, 0.0)
        weights = exp / exp.sum(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, gradient):
        (weights,) = ctx.saved_tensors
        return weights * (gradient - (gradient * weights).sum(-1, keepdim=True)), None


def scaled_dot_product_attention(q, k, v, mask=None):
    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / q.size(-1) ** 0.5  # (..., Tq, Tk)
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    weights = Softmax.apply(scores, mask).to(q.dtype)
    return weights @ v, weights
