import threading


class Memory:
    def __init__(self):
        self.items = {}
        self.lock = threading.RLock()
        self.below = None

    def put(self, key, value):
        with self.lock:
            self.items[key] = value
            self.below.store(key, value)


class Disk:
    def __init__(self, above):
        self.items = {}
        self.lock = threading.RLock()
        self.above = above
        above.below = self

    def store(self, key, value):
        with self.lock:
            self.items[key] = value

    def promote(self, key):
        with self.lock:
            value = self.items.pop(key)
        self.above.put(key, value)


memory = Memory()
disk = Disk(memory)
