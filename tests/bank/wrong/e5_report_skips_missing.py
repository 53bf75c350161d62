"""Parameters without a gradient are left out of the report."""

LAWS = ("gradient_report_names_missing_gradients",)
ALSO = ()


def gradient_report(model):
    report = {}
    for name, parameter in model.named_parameters():
        gradient = parameter.grad
        if gradient is None:
            continue
        if not gradient.isfinite().all():
            report[name] = "nan"
        elif not gradient.any():
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report
