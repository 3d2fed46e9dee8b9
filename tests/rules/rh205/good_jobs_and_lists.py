import threading
from concurrent.futures import ThreadPoolExecutor


class OwnJobs:
    def __init__(self):
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(4)

    def submit(self, job):
        return self._pool.submit(self._run, job)

    def _run(self, job):
        job()

    def size(self):
        with self._lock:
            return 4

    def shutdown(self):
        with self._lock:
            self._pool.shutdown(wait=True)


class Copied:
    def __init__(self):
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run) for _ in range(3)]
        self._count = 0

    def _run(self):
        with self._lock:
            self._count += 1

    def stop(self):
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join()

    def give_up(self):
        with self._lock:
            for thread in self._threads:
                thread.join(1.0)


class LockOnSomeWays:
    def __init__(self):
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._count = 0

    def run(self, counted):
        if counted:
            with self._lock:
                self._count += 1
        self._ready.set()

    def wait(self):
        with self._lock:
            self._ready.wait()
