import queue
import threading


class Pool:
    """Shared by threads."""

    def __init__(self):
        self._lock = threading.Lock()
        self._idle = queue.Queue()

    def _has_idle(self):
        return not self._idle.empty()

    def take(self):
        if self._has_idle():  # RH
            return self._idle.get()
        return None

    def give(self, item):
        self._idle.put(item)
