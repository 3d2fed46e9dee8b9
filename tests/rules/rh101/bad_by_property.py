import threading


class Link:
    def __init__(self):
        self._lock = threading.Lock()
        self._socket = None

    @property
    def is_open(self):
        return self._socket is not None

    def connect(self):
        with self._lock:
            self._socket = object()

    def drop(self):
        with self._lock:
            self._socket = None

    def send(self, data):
        if self.is_open:  # RH
            self._socket.sendall(data)


class Stack:
    def __init__(self):
        self._lock = threading.Lock()
        self._items = []
        self._names = {}

    @property
    def is_empty(self):
        return len(self._items) == 0

    def __len__(self):
        return len(self._items)

    def __contains__(self, name):
        return name in self._names

    def push(self, item):
        with self._lock:
            self._items.append(item)
            self._names[item.name] = item

    def forget(self, name):
        with self._lock:
            self._names.pop(name, None)

    def take(self):
        if not self.is_empty:  # RH
            with self._lock:
                return self._items.pop()
        return None

    def take_last(self):
        if len(self):  # RH
            with self._lock:
                return self._items.pop()
        return None

    def named(self, name):
        if name in self:  # RH
            return self._names[name]
        return None
