import threading
from concurrent.futures import ThreadPoolExecutor


class Scheduler:
    def __init__(self):
        self._lock = threading.Lock()
        self._executors = {}

    def add(self, name, executor):
        with self._lock:
            self._executors[name] = executor

    def abandon(self):
        with self._lock:
            for executor in self._executors.values():
                executor.shutdown(wait=False)

    def shutdown(self):
        with self._lock:
            executors = list(self._executors.values())
        for executor in executors:
            executor.shutdown()


class OwnJobs:
    def __init__(self):
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor()
        self._results = []

    def go(self):
        self._results.append(self._pool.submit(self._work))

    def _work(self):
        return 1

    def count(self):
        with self._lock:
            return len(self._results)

    def close(self):
        with self._lock:
            self._pool.shutdown()


class Alone:
    """Nobody else takes the lock."""

    def __init__(self, pool):
        self._lock = threading.Lock()
        self._pool = pool

    def close(self):
        with self._lock:
            self._pool.shutdown()
