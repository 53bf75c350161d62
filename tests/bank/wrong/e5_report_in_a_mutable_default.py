"""The report is a default argument, one dict for all calls, so it keeps the names of earlier models."""

LAWS = ("gradient_report_names_missing_gradients",)
ALSO = ("gradient_report_judges_each_gradient",)


def gradient_report(model, report={}):
    for name, p in model.named_parameters():
        g = p.grad
        report[name] = "missing" if g is None else "nan" if not g.isfinite().all() else "ok" if g.any() else "zero"
    return report
