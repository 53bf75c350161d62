"""A gradient is called "nan" only if every entry is NaN."""

LAWS = ("gradient_report_judges_each_gradient",)
ALSO = ()


def gradient_report(model):
    report = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if gradient is None:
            report[name] = "missing"
        elif gradient.isnan().all():
            report[name] = "nan"
        elif not gradient.any():
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
