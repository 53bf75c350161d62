"""Only the model's own flag is set to train mode; its parts, dropout among them, stay in eval mode."""

from torch import nn

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_runs_in_train_mode",)
ALSO = ("train_copy_task_follows_the_schedule",)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.training = True
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
