import threading


class Report:
    def __init__(self):
        self.bytes = 0
        self.errors = {}
        self.guard = threading.Lock()

    def fetched(self, size):
        self.bytes += size  # RH

    def failed(self, url, error):
        with self.guard:
            self.errors[url] = error

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
    report = Report()
    crew = [Fetcher(part, report, 1000) for part in parts]
    for one in crew:
        one.start()
    return report
