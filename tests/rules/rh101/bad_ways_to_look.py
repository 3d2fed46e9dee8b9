import threading


class Cache:
    """Thread-safe."""

    def __init__(self):
        self._entries = {}
        self._queue = []
        self._seen = set()
        self._groups = {}
        self._callback = None
        self._lock = threading.Lock()

    def through_helper(self, key):
        if self._has(key):  # RH
            return self._entries[key]
        return None

    def _has(self, key):
        return key in self._entries

    def act_in_helper(self, key):
        if key in self._entries:  # RH
            self._drop(key)

    def _drop(self, key):
        del self._entries[key]

    def early_return(self, key):
        if key not in self._entries:  # RH
            return None
        return self._entries[key]

    def in_one_expression(self, key):
        return self._entries[key] if key in self._entries else None  # RH

    def both_in_a_test(self, key):
        return key in self._entries and self._entries[key] > 3  # RH

    def through_alias(self, key):
        entries = self._entries
        if key in entries:  # RH
            return entries[key]
        return None

    def take_last(self):
        if len(self._queue) > 0:  # RH
            return self._queue.pop()
        return None

    def take_first(self):
        while self._queue:  # RH
            yield self._queue[0]
            self._queue.pop(0)

    def put(self, item):
        self._queue.append(item)

    def once(self, item):
        if item not in self._seen:  # RH
            self._seen.add(item)
            print(item)

    def group(self, name, item):
        if name not in self._groups:  # RH
            self._groups[name] = []
        self._groups[name].append(item)

    def looked_up(self, name):
        group = self._groups.get(name)  # RH
        if group is None:
            self._groups[name] = Group()
        return group

    def call_back(self):
        if self._callback is not None:  # RH
            with self._lock:
                self._callback.run()

    def forget(self):
        with self._lock:
            self._callback = None

    def remember(self, callback):
        with self._lock:
            self._callback = callback


class Group:
    pass


class Inherited(Cache):
    def pop_known(self, key):
        if key in self._entries:  # RH
            self._entries.pop(key)


TABLE = {}


def drop(key):
    if key in TABLE:  # RH
        del TABLE[key]


def start():
    for key in range(4):
        threading.Thread(target=drop, args=(key,)).start()
