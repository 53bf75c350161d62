"""Gradients by torch.autograd.grad, put in place by hand, for the parameters of the optimizer's groups."""

import torch

from solutions.ex5_training import label_smoothing_loss


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    parameters = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
    loss = label_smoothing_loss(model.train()(src, tgt_in), tgt_out, pad_id, smoothing)
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient
    if clip is not None:
        torch.nn.utils.clip_grads_with_norm_(
            parameters,
            clip,
            torch.nn.utils.get_total_norm([gradient for gradient in gradients if gradient is not None]),
        )
    optimizer.step()
    return loss.item()
