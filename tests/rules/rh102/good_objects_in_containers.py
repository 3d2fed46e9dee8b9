import threading


class Worker:
    """Each has a thread of its own."""

    def __init__(self):
        self.made = 0

    def work(self):
        self.made += 1


class Crew:
    def __init__(self, size):
        self.workers = [Worker() for number in range(size)]

    def start(self):
        for worker in self.workers:
            threading.Thread(target=worker.work).start()


class Key:
    def __init__(self):
        self.turned = 0

    def turn(self):
        self.turned += 1


class Lock:
    def __init__(self):
        self.lock = threading.Lock()
        self.turned = 0

    def turn(self):
        with self.lock:
            self.turned += 1


class Chest:
    def __init__(self):
        self.locks: dict[Key, Lock] = {}

    def turn(self):
        keys = [Key() for _ in self.locks]
        for key in keys:
            key.turn()
        for key in self.locks:
            self.locks[key].turn()

    def start(self):
        for _ in range(3):
            threading.Thread(target=self.turn).start()
