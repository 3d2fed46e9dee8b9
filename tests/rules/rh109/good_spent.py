import threading


class Seats:
    def __init__(self, count):
        self._lock = threading.RLock()
        self.free = count
        self.limit = count

    def available(self):
        with self._lock:
            return self.free

    def reserve(self, wanted):
        with self._lock:
            if self.available() >= wanted:
                self.free -= wanted

    def look_again(self, wanted):
        if self.available() >= wanted:
            with self._lock:
                left = self.free - wanted
                if left < 0:
                    raise ValueError(wanted)
                self.free = left

    def keep_above(self, wanted):
        if self.available():
            with self._lock:
                self.free = max(self.free - wanted, 0)

    def _claim(self):
        with self._lock:
            if self.free > 0:
                self.free -= 1
                return True
            return False

    def claim_and_undo(self, work):
        if self._claim():
            try:
                work()
            except OSError:
                with self._lock:
                    self.free += 1
