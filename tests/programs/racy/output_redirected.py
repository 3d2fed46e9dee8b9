"""What one task prints lands in the text that another one collects meanwhile."""

import io
from contextlib import redirect_stdout


class Report:
    def __init__(self) -> None:
        self.text = io.StringIO()

    def collect(self) -> None:
        with redirect_stdout(self.text):
            print("total: 1")  # noqa: T201 - what is printed is the point

    def announce(self) -> None:
        print("done")  # noqa: T201 - what is printed is the point


setup = Report
WORKERS = [Report.collect, Report.announce]


def invariant(report: Report) -> bool:
    return report.text.getvalue() == "total: 1\n"
