"""All batches are drawn before the first step, the rates are a list, and a partial is the step."""

from functools import partial

import torch

from solutions.ex5_training import copy_batch, noam_lr, train_step


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    batches = [copy_batch(batch, length, vocab_size, generator) for _ in range(steps)]
    rates = [noam_lr(s, model.out_proj.in_features, warmup) * (steps - s + 1) / steps for s in range(1, steps + 1)]
    adam = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    take = partial(train_step, model, adam, smoothing=smoothing, clip=clip)
    losses = []
    for rate, drawn in zip(rates, batches, strict=True):
        adam.param_groups[0]["lr"] = rate
        losses.append(take(*drawn))
    model.eval()
    return tuple(losses)
