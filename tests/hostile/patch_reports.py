"""Turns every report of pytest into a pass. Earns nothing."""

EARNS = ()
SAYS = ("should have shape",)

import _pytest.reports


def passed(cls, item, call):
    report = original(cls, item, call)
    report.outcome, report.longrepr = "passed", None
    return report


original = _pytest.reports.TestReport.from_item_and_call.__func__
_pytest.reports.TestReport.from_item_and_call = classmethod(passed)
