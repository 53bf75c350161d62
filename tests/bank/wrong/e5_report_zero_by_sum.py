"""A gradient is called "zero" if its sum is 0, also when its entries only cancel."""

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
        elif gradient.sum() == 0:
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
