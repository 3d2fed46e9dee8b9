"""The result is read without waiting for the thread that computes it."""

import threading


class Report:
    def __init__(self) -> None:
        self.ready = False

    def run(self) -> bool:
        worker = Worker(self)
        worker.start()
        seen = self.ready
        worker.join()
        return seen


class Worker(threading.Thread):
    def __init__(self, report: Report) -> None:
        super().__init__(name="worker")
        self.report = report

    def run(self) -> None:
        self.report.seen_late = not self.report.ready
        self.report.ready = True


setup = Report
WORKERS = [lambda report: setattr(report, "answer", report.run())]


def invariant(report: Report) -> bool:
    return report.answer
