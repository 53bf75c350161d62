"""No parameter changes: the gradients are cleared between backward and the step, or the optimizer never steps."""

from torch import nn

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_updates_the_parameters_once",)
ALSO = (
    "train_copy_task_follows_the_schedule",
    "train_step_clips_the_total_norm",
    "train_step_forgets_old_gradients",
    "transformer_learns_to_copy",
)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    optimizer.zero_grad()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
