"""A gradient is called "zero" if all its entries are close to 0, also if they are only small."""

import torch

LAWS = ("gradient_report_judges_each_gradient",)
ALSO = ()


def gradient_report(model):
    report = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if gradient is None:
            report[name] = "missing"
        elif not gradient.isfinite().all():
            report[name] = "nan"
        elif torch.allclose(gradient, torch.zeros_like(gradient)):
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
