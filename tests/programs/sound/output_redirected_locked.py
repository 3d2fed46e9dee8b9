"""Nobody else prints while a text is collected."""

import io
import threading
from contextlib import redirect_stdout


class Report:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.text = io.StringIO()

    def collect(self) -> None:
        with self.lock, redirect_stdout(self.text):
            print("total: 1")  # noqa: T201 - what is printed is the point

    def announce(self) -> None:
        with self.lock:
            print(end="")  # noqa: T201 - what is printed is the point


setup = Report
WORKERS = [Report.collect, Report.announce]


def invariant(report: Report) -> bool:
    return report.text.getvalue() == "total: 1\n"
