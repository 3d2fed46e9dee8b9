"""A lock that stays held where the work raises."""

import threading


class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self.value = 0

    def add(self, amount):
        self._lock.acquire()
        # may raise for text
        self.value += amount
        self._lock.release()

    def reset(self):
        self._lock.acquire()
        self.value = int("0")
        self._lock.release()


def check():
    counter = Counter()
    counter.add(2)
    assert counter.value == 2
    counter.reset()
    assert counter.value == 0
