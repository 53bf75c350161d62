"""The learning rate is the linear rise alone, so it grows for ever."""

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


def noam_lr(step, d_model, warmup):
    return d_model**-0.5 * max(step, 1) * warmup**-1.5
