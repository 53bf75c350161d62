"""The gradient of a scalar parameter is not looked at for NaN, so it is called "ok"."""

LAWS = ("gradient_report_judges_each_gradient",)
ALSO = ()


def gradient_report(model):
    report = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if gradient is None:
            report[name] = "missing"
        elif gradient.dim() > 0 and not gradient.isfinite().all():
            report[name] = "nan"
        elif not gradient.any():
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
