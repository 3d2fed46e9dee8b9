import threading


class Mailbox:
    def __init__(self):
        self._lock = threading.Lock()
        self._ready = threading.Condition(self._lock)
        self._done = threading.Event()
        self.items = []

    def take(self):
        with self._ready:
            while not self.items:
                self._ready.wait()
            return self.items.pop()

    def take_for(self):
        with self._ready:
            self._ready.wait_for(lambda: self.items)
            return self.items.pop()

    def nap(self):
        with self._ready:
            self._ready.wait(timeout=1)

    def put(self, item):
        with self._lock:
            self.items.append(item)
            self._ready.notify()

    def tell(self):
        with self._ready:
            self._tell()

    def _tell(self):
        self._ready.notify_all()

    def event(self):
        self._done.wait()


def notify(condition: threading.Condition):
    condition.notify()
