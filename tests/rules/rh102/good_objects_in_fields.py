import threading


class Stats:
    def __init__(self):
        self.fetched = 0


class Crawler:
    def __init__(self, urls):
        self.urls = urls
        self.lock = threading.Lock()
        self.stats = Stats()

    def fetch(self, url):
        stats = self.stats
        with self.lock:
            stats.fetched += 1

    def run(self):
        for url in self.urls:
            threading.Thread(target=self.fetch, args=(url,)).start()


class Page(threading.Thread):
    def __init__(self):
        super().__init__()
        self.stats = Stats()

    def run(self):
        self.stats.fetched += 1


def pages(count):
    for _ in range(count):
        Page().start()
