"""The rate at step 0 is 0, so a first step numbered 0 would do nothing."""

from solutions.ex5_training import noam_lr

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ()


right_rate = noam_lr


def noam_lr(step, d_model, warmup):
    return 0.0 if step == 0 else right_rate(step, d_model, warmup)
