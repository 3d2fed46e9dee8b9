import queue
import threading
from concurrent.futures import ThreadPoolExecutor


class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._jobs = queue.Queue()
        self._pool = ThreadPoolExecutor()

    def _work(self):
        pass

    def _locking(self):
        with self._lock:
            pass

    def run(self):
        with self._lock:
            return self._pool.submit(self._work).result()

    def for_a_while(self):
        with self._lock:
            return self._pool.submit(self._locking).result(timeout=3)

    def outside(self):
        with self._lock:
            future = self._pool.submit(self._locking)
        return future.result()

    def finish(self):
        self._done.set()
        with self._lock:
            self._jobs.put(1)

    def wait(self):
        with self._lock:
            self._done.wait()

    def clear(self):
        with self._lock:
            while not self._jobs.empty():
                self._jobs.get()

    def text(self, names):
        with self._lock:
            return ", ".join(names)
