"""The generator is seeded anew every 50 steps, so a long run sees the same 50 batches again and again."""

import torch

from solutions.ex5_training import copy_batch, noam_lr, train_step

LAWS = ("train_copy_task_draws_fresh_batches",)
ALSO = ("transformer_learns_to_copy",)


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for step in range(1, steps + 1):
        adam.param_groups[0]["lr"] = noam_lr(step, model.d_model, warmup) * (steps - step + 1) / steps
        if step % 50 == 0:
            generator.manual_seed(seed)
        batch_of_step = copy_batch(batch, length, vocab_size, generator)
        losses.append(train_step(model, adam, *batch_of_step, smoothing=smoothing, clip=clip))
    return losses
