import threading

READY = threading.Condition()
items = []


def take():
    with READY:
        if not items:
            READY.wait()  # RH
        return items.pop()


def put(item):
    items.append(item)
    READY.notify_all()  # RH


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self._filled = threading.Condition(self._lock)
        self.item = None

    def take(self):
        with self._lock:
            filled = self._filled
            if self.item is None:
                filled.wait()  # RH
            return self.item


class Derived(Base):
    def put(self, item):
        with self._lock:
            self.item = item
        self._filled.notify()  # RH
