"""The rate is scaled with sqrt(warmup) in place of 1 / sqrt(d_model), so its peak is 1 for every width."""

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


def noam_lr(step, d_model, warmup):
    step = max(step, 1)
    return warmup**0.5 * min(step**-0.5, step * warmup**-1.5)
