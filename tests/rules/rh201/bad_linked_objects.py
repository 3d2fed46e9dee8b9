import threading


class Memory:
    def __init__(self):
        self.items = {}
        self.lock = threading.RLock()
        self.below = None

    def put(self, key, value):
        with self.lock:
            self.items[key] = value
            self.below.store(key, value)  # RH


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
            self.above.put(key, self.items.pop(key))


memory = Memory()
disk = Disk(memory)
