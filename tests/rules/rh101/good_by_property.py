import threading


class Link:
    def __init__(self):
        self._lock = threading.RLock()
        self._socket = None
        self._names = {}

    @property
    def is_open(self):
        return self._socket is not None

    def __contains__(self, name):
        return name in self._names

    def connect(self):
        with self._lock:
            self._socket = object()

    def drop(self):
        with self._lock:
            self._socket = None

    def forget(self, name):
        with self._lock:
            self._names.pop(name, None)

    def send(self, data):
        with self._lock:
            if self.is_open:
                self._socket.sendall(data)

    def named(self, name, other):
        with self._lock:
            if name in self:
                return self._names[name]
        return None
