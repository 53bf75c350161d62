"""The first step is taken to be number 0, so every rate is that of the next step.

Decided: wrong, the contract counts steps from 1 and treats only step 0 as step 1.
"""

from solutions.ex5_training import noam_lr

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ("train_copy_task_follows_the_schedule", "transformer_learns_to_copy")


right_rate = noam_lr


def noam_lr(step, d_model, warmup):
    return right_rate(step + 1, d_model, warmup)
