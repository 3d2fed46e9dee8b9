import threading


class Names:
    def __init__(self):
        self._lock = threading.Lock()
        self._names = []

    def move_up(self, name):
        with self._lock:
            names = [item for item in self._names if item != name]
        names.insert(0, name)
        with self._lock:
            self._names[:] = names  # RH
