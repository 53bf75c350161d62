"""The model is put into train mode only if it is not in it, so a part in eval mode stays there."""

import torch

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_runs_in_train_mode",)
ALSO = ()


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    if not model.training:
        model.train()
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
