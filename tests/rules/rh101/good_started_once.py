"""The flag is looked at and set under the lock; whoever finds the deque empty has reckoned with it."""

import collections
import threading


class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self._started = False
        self._jobs = []

    def submit(self, job):
        with self._lock:
            self._jobs.append(job)
        self.ensure()

    def ensure(self):
        with self._lock:
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            with self._lock:
                if self._jobs:
                    self._jobs.pop()()


class Client:
    def __init__(self):
        self._lock = threading.RLock()
        self._pending = collections.deque()

    def add(self, future):
        with self._lock:
            self._pending.append(future)

    def fire(self):
        while self._pending:
            try:
                future = self._pending.popleft()
            except IndexError:
                break
            future.set_result(None)
