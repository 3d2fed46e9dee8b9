import threading


class Stats:
    def __init__(self):
        self.total = 0
        self.failed = 0


class Worker(threading.Thread):
    def __init__(self, stats, name):
        super().__init__(name=name)
        self.stats = stats

    def run(self):
        for _ in range(100):
            self.stats.total += 1  # RH
        self._fail()

    def _fail(self):
        self.stats.failed += 1  # RH


def main():
    stats = Stats()
    for number in range(4):
        Worker(stats, str(number)).start()
