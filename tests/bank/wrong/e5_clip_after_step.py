"""The gradients are clipped where no step feels it: after the optimizer has stepped, or before backward."""

from torch import nn

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_clips_the_total_norm",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train()
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    optimizer.step()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    return loss.item()
