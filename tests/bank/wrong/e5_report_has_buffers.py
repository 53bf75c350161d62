"""The report goes through the state_dict, and calls buffers missing."""

from solutions.ex5_training import gradient_report

LAWS = ("gradient_report_names_missing_gradients", "gradient_report_judges_each_gradient")
ALSO = ()


_right = gradient_report


def gradient_report(model):
    return {name: "missing" for name, _ in model.named_buffers()} | _right(model)
