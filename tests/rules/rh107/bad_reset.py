import threading


class Meter:
    def __init__(self):
        self._lock = threading.Lock()
        self.calls = 0

    def record(self):
        with self._lock:
            self.calls += 1

    def reset(self):
        self.calls = 0  # RH
