"""Two callers find that it has not been started, and start it twice; two take the last of a deque."""

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
        if not self._started:  # RH
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
        while self._pending:  # RH
            self._pending.popleft().set_result(None)
