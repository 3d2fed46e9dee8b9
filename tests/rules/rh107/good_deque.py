import threading
from collections import deque


class Jobs:
    """Each step of a deque is whole by itself: the lock is for something else."""

    def __init__(self):
        self._lock = threading.Lock()
        self._jobs = deque()
        self._total = 0

    def add(self, job):
        with self._lock:
            self._jobs.append(job)
            self._total += 1

    def push(self, job):
        self._jobs.appendleft(job)

    def take(self):
        return self._jobs.popleft()
