import threading

first_lock = threading.Lock()
second_lock = threading.RLock()
third_lock = threading.Lock()


def forth():
    with first_lock:
        _inner()  # RH


def _inner():
    second_lock.acquire()
    try:
        pass
    finally:
        second_lock.release()


def back():
    with second_lock, first_lock:
        pass


class Cache:
    def __init__(self, store: "Store"):
        self._lock = threading.Lock()
        self._store = store

    def get(self):
        with self._lock:
            return self._store.read()  # RH

    def drop(self):
        with self._lock:
            pass


class Store:
    def __init__(self):
        self._mutex = threading.Lock()
        self._cache = Cache(self)

    def read(self):
        with self._mutex:
            return 1

    def write(self):
        with self._mutex:
            self._cache.drop()


class Three:
    def __init__(self):
        self.a = threading.Lock()
        self.b = threading.Lock()
        self.c = threading.Lock()

    def ab(self):
        with self.a, self.b:  # RH
            pass

    def bc(self):
        with self.b, self.c:
            pass

    def ca(self):
        with self.c, self.a:
            pass
