import threading


class Page:
    def __init__(self):
        self._count = 0


class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0  # guarded_by: _lock

    def add(self):
        with self._lock:
            self._count += 1

    def merge(self, other):
        with other._lock:
            count = other._count
        with self._lock:
            self._count += count

    def of_page(self, page: Page):
        return page._count

    def copy(self):
        made = Counter()
        made._count = 1
        return made
