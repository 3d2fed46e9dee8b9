"""Each thread has a report of its own."""

import threading


class Report:
    def __init__(self):
        self.bytes = 0

    def fetched(self, size):
        self.bytes += size

    def left(self, quota):
        return quota - self.bytes


class Worker(threading.Thread):
    def __init__(self, urls, report):
        super().__init__()
        self.urls = urls
        self.report = report

    def run(self):
        for url in self.urls:
            self.handle(url)

    def handle(self, url):
        raise NotImplementedError


class Fetcher(Worker):
    def __init__(self, urls, report, quota):
        super().__init__(urls, report)
        self.quota = quota

    def handle(self, url):
        if self.report.left(self.quota) <= 0:
            return
        self.report.fetched(len(url))


def crawl(parts):
    for part in parts:
        Fetcher(part, Report(), 1000).start()
