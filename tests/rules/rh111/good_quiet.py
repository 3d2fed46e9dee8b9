import threading


class Counter:
    def __init__(self):
        self._lock = threading.Lock()
        self._ready = threading.Condition(self._lock)
        self._outer = threading.Lock()
        self.value = 0
        self.both = {}
        self.lock_of = {}

    def add(self):
        with self._lock:
            self.value += 1

    def add_and_tell(self):
        with self._ready:
            self.value += 1
            self._ready.notify()

    def one(self, key):
        with self._outer, self._lock:
            self.both[key] = 1

    def other(self, key):
        with self._lock:
            self.both[key] = 2

    def per_key(self, key):
        lock = self.lock_of.setdefault(key, threading.Lock())
        with lock:
            self.value += 0

    def stored(self):
        lock = threading.Lock()
        self.current = lock
        with lock:
            pass

    def passed(self):
        lock = threading.Lock()
        threading.Thread(target=print, args=(lock,)).start()
        with lock:
            pass

    def returned(self):
        lock = threading.Lock()
        with lock:
            pass
        return lock

    def captured(self):
        lock = threading.Lock()

        def inner():
            with lock:
                pass

        with lock:
            return inner
