import threading

_lock = threading.Lock()


def outer():
    with _lock:
        inner()  # RH


def inner():
    with _lock:
        pass


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self._ready = threading.Condition(self._lock)
        self._value = None

    def value(self):
        with self._lock:
            return self._value

    def nested(self):
        with self._lock:
            with self._lock:  # RH
                pass


class Derived(Base):
    def update(self):
        self._lock.acquire()
        self._apply()  # RH
        self._lock.release()

    def _apply(self):
        self._value = self.value()

    def through_condition(self):
        with self._ready:
            return self.value()  # RH
