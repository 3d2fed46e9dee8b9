import threading
from concurrent.futures import ThreadPoolExecutor


class Downloads:
    """A short one is done before it is given its callback."""

    def __init__(self):
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(4)
        self._running = set()

    def start(self, url):
        with self._lock:
            future = self._pool.submit(len, url)
            self._running.add(future)
            future.add_done_callback(self._finished)  # RH

    def at_once(self, url):
        with self._lock:
            self._pool.submit(len, url).add_done_callback(lambda future: self._finished(future))  # RH

    def _finished(self, future):
        with self._lock:
            self._running.discard(future)
