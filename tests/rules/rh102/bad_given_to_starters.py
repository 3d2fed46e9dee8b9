"""What a function hands to threads without saying what it is: the callers tell."""

from concurrent.futures import ThreadPoolExecutor


class Tally:
    def __init__(self):
        self.words = {}

    def add(self, name):
        self.words[name] = self.words.get(name, 0) + 1  # RH


def scan(names, tally):
    with ThreadPoolExecutor() as pool:
        for name in names:
            pool.submit(tally.add, name)
    print(tally.words)


class Meter:
    def __init__(self):
        self.parts = {}

    def run(self):
        self.parts[1] = self.parts.get(1, 0) + 1  # RH


def start(pool, meter: Meter):
    pool.submit(meter.run)


def twice(pool):
    meter = Meter()
    start(pool, meter)
    start(pool, meter)


def main(names):
    scan(names, Tally())
