import threading


class Base:
    _lock = threading.Lock()

    def __init__(self):
        self.n = 0

    def reset(self):
        with self._lock:
            self.n = 0


class Derived(Base):
    def bump(self):
        self.n += 1  # RH


class Further(Derived):
    def other(self):
        return 1
