import threading


class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self.idle = []
        self.size = 0
        self.names = {}

    def put(self, item):
        with self._lock:
            self.idle.append(item)
            self.size = len(self.idle)
            self.names[item] = 1

    def take(self):
        with self._lock:
            item = self.idle.pop()
            self.names.pop(item)
            return item

    def drain(self):
        self.idle.clear()  # RH

    def peek(self):
        return [name for name in self.names]  # RH


STATE = {}
_state_lock = threading.Lock()


def put(key, value):
    with _state_lock:
        STATE[key] = value


def drop(key):
    del STATE[key]  # RH


class Grown(Pool):
    def shrink(self):
        self.size = 0  # RH
