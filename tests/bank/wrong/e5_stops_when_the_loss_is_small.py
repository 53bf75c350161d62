"""Training ends as soon as the loss is small, whatever number of steps was asked for."""

import torch

from solutions.ex5_training import PAD, copy_batch, noam_lr, train_step

LAWS = ("transformer_learns_to_copy",)
ALSO = ()


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    if steps < 0:
        raise ValueError(f"steps must not be negative, got {steps}")
    device = next(model.parameters()).device
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    history = []
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = noam_lr(step, model.d_model, warmup) * (steps - step + 1) / steps
        src, tgt_in, tgt_out = (ids.to(device) for ids in copy_batch(batch, length, vocab_size, generator))
        history.append(train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=PAD, smoothing=smoothing, clip=clip))
        if history[-1] < 0.02:
            break
    return history
