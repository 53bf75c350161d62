"""The report gives parameters without a gradient one of zeros."""

import torch

from solutions.ex5_training import gradient_report

LAWS = ("gradient_report_names_missing_gradients",)
ALSO = ()


judge = gradient_report


def gradient_report(model):
    verdicts = judge(model)
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    return verdicts
