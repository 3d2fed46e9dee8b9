import gc
import threading


class Pauses:
    def __init__(self):
        self._lock = threading.Lock()
        self._count = 0
        gc.callbacks.append(self._collected)

    def _collected(self, phase, info):
        with self._lock:  # RH
            self._count += 1

    def count(self):
        with self._lock:
            return self._count
