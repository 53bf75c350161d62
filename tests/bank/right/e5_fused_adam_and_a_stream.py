"""Adam is fused, the batches come from an endless stream, and the schedule is a generator function."""

import torch

from solutions.ex5_training import copy_batch, noam_lr, train_step


def _stream(sizes, seed):
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield copy_batch(*sizes, generator)


def _rates(steps, d_model, warmup):
    for left in range(steps, 0, -1):
        yield noam_lr(steps - left + 1, d_model, warmup) * left / steps


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    adam = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
    losses = []
    for rate, drawn in zip(
        _rates(steps, model.d_model, warmup), _stream((batch, length, vocab_size), seed), strict=False
    ):
        for group in adam.param_groups:
            group["lr"] = rate
        losses += [train_step(model, adam, *drawn, smoothing=smoothing, clip=clip)]
    return losses
