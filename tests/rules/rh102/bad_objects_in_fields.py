import threading


class Stats:
    def __init__(self):
        self.fetched = 0
        self.failed = 0


class Crawler:
    def __init__(self, urls):
        self.urls = urls
        self.stats = Stats()

    def fetch(self, url):
        stats, me = self.stats, self
        self.stats.fetched += 1  # RH
        stats.failed += 1  # RH
        me.report(url)

    def report(self, url):
        print(url, self.stats.fetched)

    def run(self):
        for url in self.urls:
            threading.Thread(target=self.fetch, args=(url,)).start()
