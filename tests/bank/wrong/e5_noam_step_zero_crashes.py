"""Step 0 is not treated as step 1, so 0 is raised to the power -0.5."""

LAWS = ("noam_lr_follows_the_formula",)
ALSO = ()


def noam_lr(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
