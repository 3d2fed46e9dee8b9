import threading


class Stats:
    def __init__(self):
        self.lock = threading.Lock()
        self.total = 0


class Guarded(threading.Thread):
    def __init__(self, stats):
        super().__init__()
        self.stats = stats

    def run(self):
        with self.stats.lock:
            self.stats.total += 1


class Share:
    def __init__(self):
        self.total = 0


class Alone(threading.Thread):
    def __init__(self, share):
        super().__init__()
        self.share = share

    def run(self):
        self.share.total += 1


def main():
    stats = Stats()
    for _ in range(4):
        Guarded(stats).start()
        share = Share()
        Alone(share).start()


def by_hand():
    first = Share()
    second = Share()
    Alone(first).start()
    Alone(second).start()
