"""Clipping takes the norm of every parameter's gradient and crashes if one parameter has none."""

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_clips_the_total_norm",)
ALSO = ("train_copy_task_follows_the_schedule",)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train()
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        total = sum(parameter.grad.norm() ** 2 for parameter in model.parameters()) ** 0.5
        for parameter in model.parameters():
            parameter.grad.mul_((clip / (total + 1e-6)).clamp(max=1))
    optimizer.step()
    return loss.item()
