import queue
import threading


class Quiet:
    """Thread-safe."""

    def __init__(self, limit):
        self._lock = threading.Lock()
        self.limit = limit
        self.jobs = queue.Queue()
        self.done = threading.Event()
        self._stop = False
        self.latest = None
        self._items = {}
        self._thread = threading.Thread(target=self._loop)

    def stop(self):
        self._stop = True
        self.done.set()

    def _loop(self):
        while not self._stop:
            self.jobs.put(self.limit)

    def publish(self, value):
        self.latest = value

    def read(self):
        return self.latest

    def store(self, key, value):
        with self._lock:
            self._items[key] = value

    def drop(self, key):
        with self._lock:
            del self._items[key]

    def find(self, key):
        if key not in self._items:
            with self._lock:
                if key not in self._items:
                    self._items[key] = object()

    def __repr__(self):
        return f"Quiet({self._items})"


class Finished:
    def __init__(self):
        self.total = 0

    def work(self):
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._thread.join()
        self.total = self.total * 2
        return self.total

    def _run(self):
        self.total += 1


class Plain:
    def __init__(self):
        self.items = []

    def add(self, item):
        if item not in self.items:
            self.items.append(item)

    def clear(self):
        self.items = []


class Snapshot:
    def __init__(self):
        self._lock = threading.Lock()
        self._listeners = []

    def add(self, listener):
        with self._lock:
            self._listeners = [*self._listeners, listener]

    def drop(self, listener):
        with self._lock:
            self._listeners = [item for item in self._listeners if item is not listener]

    def notify(self):
        with self._lock:
            listeners = self._listeners
        for listener in listeners:
            listener()


class Handing:
    def __init__(self):
        self._lock = threading.Lock()
        self._values = {}

    def begin(self, key):
        self._lock.acquire()
        self._values[key] = 0

    def finish(self, key, value):
        self._values[key] = value
        self._lock.release()

    def count_unlocked(self):
        return len(self._values) + len(list(self._values))


TABLE = {}
_table_lock = threading.Lock()


def fill(key):
    with _table_lock:
        TABLE[key] = len(table_locked())


def table_locked():
    return [key for key in TABLE]
