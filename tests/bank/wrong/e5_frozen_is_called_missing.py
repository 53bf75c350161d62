"""A frozen parameter is called missing even if it has a gradient."""

from solutions.ex5_training import gradient_report

LAWS = ("gradient_report_names_missing_gradients",)
ALSO = ()


judge = gradient_report


def gradient_report(model):
    frozen = {name: "missing" for name, parameter in model.named_parameters() if not parameter.requires_grad}
    return {**judge(model), **frozen}
