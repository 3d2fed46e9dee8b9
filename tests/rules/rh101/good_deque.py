import threading
from collections import deque


class Idle:
    def __init__(self):
        self._lock = threading.RLock()
        self._idle = deque()
        self._log = deque(maxlen=10)

    def add(self, link):
        with self._lock:
            self._idle.append(link)
        self._log.append(link)

    def take(self):
        try:
            return self._idle.popleft()
        except IndexError:
            return None

    def first(self):
        with self._lock:
            return self._idle[0] if self._idle else None
