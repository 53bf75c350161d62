"""NaN is looked for with ==, which is never true, so neither NaN nor infinity is found."""

LAWS = ("gradient_report_judges_each_gradient",)
ALSO = ()


def gradient_report(model):
    report = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if gradient is None:
            report[name] = "missing"
        elif (gradient == float("nan")).any():
            report[name] = "nan"
        elif not gradient.any():
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
