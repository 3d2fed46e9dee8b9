import threading


class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self.closed = False

    def __enter__(self):
        self._lock.acquire()
        return self

    def __exit__(self, *error):
        self._lock.release()

    def take(self):
        self._lock.acquire()
        try:
            if self.closed:
                return None
            return self
        finally:
            self._lock.release()

    def released_first(self):
        self._lock.acquire()
        if self.closed:
            self._lock.release()
            return None
        self._lock.release()
        return self

    def tries(self):
        if not self._lock.acquire(timeout=1):
            return False
        self.closed = True
        self._lock.release()
        return True

    def enter(self):
        self._lock.acquire()
        if self.closed:
            self._lock.release()
            return False
        return True

    def within(self):
        with self._lock:
            if self.closed:
                return None
        return self

    def nested(self):
        self._lock.acquire()
        try:
            try:
                return self
            finally:
                print()
        finally:
            self._lock.release()

    def simple(self):
        self._lock.acquire()
        self.closed = True
        self._lock.release()
