"""While the rate rises it is already that of the next step."""

from solutions.ex5_training import noam_lr

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


right_rate = noam_lr


def noam_lr(step, d_model, warmup):
    return right_rate(step + 1 if step < warmup else step, d_model, warmup)
