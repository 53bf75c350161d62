"""The run begins by drawing all parameters anew instead of going on from those the model has."""

import torch

from solutions.ex5_training import train_copy_task

LAWS = ("train_copy_task_follows_the_schedule",)
ALSO = ("transformer_learns_to_copy",)


run = train_copy_task


def train_copy_task(model, *args, **options):
    dice = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=dice) * 0.3)
    return run(model, *args, **options)
