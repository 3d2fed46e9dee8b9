import threading

_lock = None
state = {}


def put(key, value):
    global _lock
    if _lock is None:
        _lock = threading.Lock()  # RH
    with _lock:
        state[key] = value


class Pool:
    def __init__(self):
        self._opened = 0

    def open(self):
        self._ensure_lock()
        with self._lock:
            self._opened += 1

    def _ensure_lock(self):
        try:
            self._lock
        except AttributeError:
            self._lock = threading.Lock()  # RH
