import gc
import threading


class Pauses:
    def __init__(self):
        self._lock = threading.RLock()
        self._plain = threading.Lock()
        self._counts = []
        gc.callbacks.append(self._collected)

    def _collected(self, phase, info):
        with self._lock:
            self._counts.append(info)

    def counts(self):
        with self._lock, self._plain:
            return list(self._counts)


class Callbacks:
    """Callbacks of its own."""

    def __init__(self):
        self._lock = threading.Lock()
        self.callbacks = []
        self.callbacks.append(self._called)

    def _called(self):
        with self._lock:
            return 1

    def other(self):
        with self._lock:
            return 2
