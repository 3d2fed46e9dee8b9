import threading

_lock = threading.Lock()


def first(items):
    _lock.acquire()
    for item in items:
        if item.ok:
            return item  # RH
    _lock.release()
    return None


class Pool:
    def __init__(self):
        self._lock = threading.RLock()
        self.closed = False

    def take(self):
        lock = self._lock
        lock.acquire()
        try:
            if self.closed:
                return None  # RH
        except ValueError:
            pass
        lock.release()
        return self

    def risky(self):
        self._lock.acquire()  # RH
        print(self)
        self._lock.release()
