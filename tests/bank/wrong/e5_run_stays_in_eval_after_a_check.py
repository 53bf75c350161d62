"""Train mode is set once, before the loop, and an evaluation every 50 steps ends it."""

import torch
from torch import nn

from solutions.ex5_training import copy_batch, label_smoothing_loss, noam_lr

LAWS = ("train_copy_task_follows_the_schedule",)
ALSO = ()


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    model.train()
    generator = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for s in range(1, steps + 1):
        for group in adam.param_groups:
            group["lr"] = noam_lr(s, model.d_model, warmup) * (steps - s + 1) / steps
        src, tgt_in, tgt_out = copy_batch(batch, length, vocab_size, generator)
        adam.zero_grad()
        loss = label_smoothing_loss(model(src, tgt_in), tgt_out, smoothing=smoothing)
        loss.backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip)
        adam.step()
        losses.append(loss.item())
        if s % 50 == 0:
            model.eval()
            with torch.no_grad():
                model(src, tgt_in).argmax(-1)
    return losses
