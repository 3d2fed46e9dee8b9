import threading


class Recent:
    def __init__(self):
        self._lock = threading.Lock()
        self._items = {}

    def setdefault(self, key, default):
        self._lock.acquire()
        try:
            if key in self:  # RH
                return self[key]  # RH
            self[key] = default  # RH
            return default
        finally:
            self._lock.release()

    def forget(self, key):
        with self._lock:
            del self[key]  # RH

    def __contains__(self, key):
        with self._lock:
            return key in self._items

    def __getitem__(self, key):
        with self._lock:
            return self._items[key]

    def __setitem__(self, key, value):
        with self._lock:
            self._items[key] = value

    def __delitem__(self, key):
        with self._lock:
            del self._items[key]
