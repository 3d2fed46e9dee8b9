import threading
from concurrent.futures import ThreadPoolExecutor


class Pool:
    def __init__(self):
        self._lock = threading.RLock()
        self._done = threading.Event()
        self._pool = ThreadPoolExecutor()
        self.count = 0

    def _work(self):
        with self._lock:
            self.count += 1

    def run(self):
        with self._lock:
            future = self._pool.submit(self._work)
            return future.result()  # RH

    def run_at_once(self):
        with self._lock:
            return self._pool.submit(self._work).result()  # RH

    def finish(self):
        with self._lock:
            self._done.set()

    def wait(self):
        with self._lock:
            self._done.wait()  # RH


_lock = threading.Lock()


def work():
    with _lock:
        pass


def main():
    with _lock:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()  # RH
