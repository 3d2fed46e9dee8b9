import threading


class Cache:
    def __init__(self, index):
        self.lock = threading.RLock()
        self.index = index

    def put(self, key):
        with self.lock:
            self.index.add(key)  # RH

    def size(self):
        with self.lock:
            return 1


class Index:
    def __init__(self):
        self.mutex = threading.Lock()
        self.cache: Cache | None = None

    def add(self, key):
        with self.mutex:
            return key

    def rebuild(self):
        with self.mutex:
            return self.cache.size()


def build():
    index = Index()
    index.cache = Cache(index)
    return index.cache
