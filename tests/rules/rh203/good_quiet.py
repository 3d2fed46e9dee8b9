import threading
from dataclasses import dataclass, field


class Fine:
    def __init__(self):
        self._lock = threading.Lock()
        self._again = threading.RLock()
        self._ready = threading.Condition()

    def value(self):
        with self._lock:
            return 1

    def after(self):
        with self._lock:
            pass
        return self.value()

    def reentrant(self):
        with self._again:
            self.reenter()

    def reenter(self):
        with self._again, self._ready:
            self.notify()

    def notify(self):
        with self._ready:
            self._ready.notify()

    def other(self, peer: "Fine"):
        with self._lock:
            return peer.value()

    def tries(self):
        with self._lock:
            return self._try()

    def _try(self):
        return self._lock.acquire(False)

    def lets_go(self):
        with self._lock:
            self._lock.release()
            try:
                self.value()
            finally:
                self._lock.acquire()

    def later(self):
        with self._lock:
            threading.Thread(target=self.value).start()


@dataclass
class Graph:
    lock: threading.Lock = field(default_factory=threading.Lock)

    def register(self, cell):
        with self.lock:
            print(cell)

    def copy(self, cells):
        graph = Graph()
        with self.lock:
            for cell in cells:
                graph.register(cell)
        return graph
