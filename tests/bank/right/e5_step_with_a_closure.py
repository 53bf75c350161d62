"""The optimizer calls a closure, and a second forward pass without gradients follows the step."""

import torch

from solutions.ex5_training import label_smoothing_loss


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    def closure():
        optimizer.zero_grad(set_to_none=False)
        loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
        loss.backward()
        if clip is not None:
            gradients = [p.grad for p in model.parameters() if p.grad is not None]
            total = torch.cat([gradient.flatten() for gradient in gradients]).norm()
            if total > clip:
                for gradient in gradients:
                    gradient *= clip / total
        return loss

    model.train()
    loss = optimizer.step(closure)
    with torch.no_grad():
        model(src, tgt_in).argmax(dim=-1)
    return float(loss)
