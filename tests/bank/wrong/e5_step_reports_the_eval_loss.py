"""train_step returns the loss of a pass of its own in eval mode, not the one that it trains on."""

import torch
from torch import nn

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_runs_in_train_mode",)
ALSO = ()


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.eval()
    with torch.no_grad():
        reported = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing).item()
    model.train()
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return reported
