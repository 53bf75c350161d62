"""Zero is found by the norm, in which the squares of tiny entries vanish."""

from solutions.ex5_training import gradient_report

LAWS = ("gradient_report_judges_each_gradient",)
ALSO = ()


right_report = gradient_report


def gradient_report(model):
    report = right_report(model)
    zero = {name for name, p in model.named_parameters() if p.grad is not None and not p.grad.norm()}
    return {name: "zero" if name in zero else word for name, word in report.items()}
