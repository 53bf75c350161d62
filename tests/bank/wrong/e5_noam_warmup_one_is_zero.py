"""With warmup = 1 the rate is 0, as if there were nothing to warm up and so nothing to do."""

from solutions.ex5_training import noam_lr

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ()


right_rate = noam_lr


def noam_lr(step, d_model, warmup):
    return 0.0 if warmup == 1 else right_rate(step, d_model, warmup)
