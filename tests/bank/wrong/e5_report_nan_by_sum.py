"""A gradient is called "nan" if its sum is not finite, also when large entries only add up to more than fits."""

LAWS = ("gradient_report_judges_each_gradient",)
ALSO = ()


def gradient_report(model):
    report = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if gradient is None:
            report[name] = "missing"
        elif not gradient.sum().isfinite():
            report[name] = "nan"
        elif not gradient.any():
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
