import threading
import weakref


class Worker:
    alive = set()
    _alive_lock = threading.Lock()

    def __init__(self):
        with Worker._alive_lock:
            Worker.alive.add(id(self))
        weakref.finalize(self, Worker._gone, id(self))

    @staticmethod
    def _gone(key):
        with Worker._alive_lock:  # RH
            Worker.alive.discard(key)
