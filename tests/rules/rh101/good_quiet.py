import threading


class Cache:
    """Thread-safe."""

    def __init__(self):
        self._entries = {}
        self._other = {}
        self._lock = threading.Lock()
        self._stopped = False
        self._sizes = {}

    def under_lock(self, key):
        with self._lock:
            if key in self._entries:
                return self._entries[key]
        return None

    def in_one_step(self, key):
        return self._entries.pop(key, None)

    def other_key(self, key, other):
        if key in self._other:
            return self._other.get(other)
        return None

    def nobody_removes(self, key):
        if key in self._other:
            return self._other[key]
        return None

    def with_default(self, key):
        if key in self._entries:
            self._entries.pop(key, None)

    def looks_again(self, key):
        if key not in self._sizes:
            with self._lock:
                if key not in self._sizes:
                    self._sizes[key] = []

    def looks_again_in_helper(self, key):
        if key not in self._sizes:
            with self._lock:
                self._fill(key)

    def _fill(self, key):
        if key not in self._sizes:
            self._sizes[key] = []

    def handed_a_lock(self, key):
        self._lock.acquire()
        try:
            if key in self._entries:
                del self._entries[key]
        finally:
            self._lock.release()


class Alone:
    def __init__(self):
        self.entries = {}

    def get(self, key):
        if key in self.entries:
            return self.entries[key]
        return None

    def drop(self, key):
        del self.entries[key]


class Coroutines:
    """Thread-safe."""

    def __init__(self):
        self.entries = {}

    async def get(self, key):
        if key in self.entries:
            return self.entries.pop(key)
        return None


class Scheduler:
    def __init__(self):
        self._lock = threading.Lock()
        self._queue = []

    def put(self, item):
        with self._lock:
            self._queue.append(item)

    def run(self):
        lock = self._lock
        queue = self._queue
        while True:
            with lock:
                if not queue:
                    break
                queue.pop()
