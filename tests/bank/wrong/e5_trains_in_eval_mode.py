"""The model is put into eval mode before a step, so there is no dropout in training."""

from torch import nn

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_runs_in_train_mode",)
ALSO = ("train_copy_task_follows_the_schedule",)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.eval()
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
