"""Two objects, locked in the order of the arguments of a function."""

import threading


class Tank:
    def __init__(self):
        self._lock = threading.Lock()
        self.level = 4


def pour(source: Tank, target: Tank, litres: int):
    """From one to the other."""
    with source._lock, target._lock:
        source.level -= litres
        target.level += litres


threads = [threading.Thread(target=pour, args=(Tank(), Tank(), 1)) for _ in range(2)]


def check():
    a, b = Tank(), Tank()
    pour(a, b, 3)
    assert (a.level, b.level) == (1, 7)
