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


class Pair(threading.Thread):
    def __init__(self, sums):
        super().__init__()
        self.sums = sums

    def run(self):
        self.sums.total += 1  # RH


class Sums:
    def __init__(self):
        self.total = 0


def both():
    sums = Sums()
    Pair(sums).start()
    Pair(sums).start()


def main():
    stats = Stats()
    for number in range(4):
        Worker(stats, str(number)).start()
