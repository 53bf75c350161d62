"""The learning rate takes the larger of the two terms, so it falls first and then grows for ever."""

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


def noam_lr(step, d_model, warmup):
    step = max(step, 1)
    return d_model**-0.5 * max(step**-0.5, step * warmup**-1.5)
