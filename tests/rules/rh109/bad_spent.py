import threading


class Seats:
    def __init__(self, count):
        self._lock = threading.Lock()
        self.free = count
        self.rows = {"front": count}

    def available(self):
        with self._lock:
            return self.free

    def reserve(self, wanted):
        if self.available() >= wanted:
            with self._lock:
                self.free -= wanted  # RH
            return True
        return False

    def reserve_later(self, wanted):
        with self._lock:
            enough = self.free >= wanted
        if enough:
            with self._lock:
                self.free = self.free - wanted  # RH

    def reserve_in(self, row):
        with self._lock:
            left = self.rows[row]
        if left:
            with self._lock:
                self.rows[row] -= 1  # RH
