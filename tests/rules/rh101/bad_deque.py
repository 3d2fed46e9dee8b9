import threading
from collections import deque


class Idle:
    """Each step of a deque is whole; a look and what counts on it are two."""

    def __init__(self):
        self._lock = threading.RLock()
        self._idle = deque()

    def add(self, link):
        with self._lock:
            self._idle.append(link)

    def drop(self, link):
        with self._lock:
            self._idle.remove(link)

    def take(self):
        if self._idle:  # RH
            return self._idle.popleft()
        return None
