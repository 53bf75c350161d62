"""A gradient is called "zero" as soon as one of its entries is 0."""

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
        elif (gradient == 0).any():
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
