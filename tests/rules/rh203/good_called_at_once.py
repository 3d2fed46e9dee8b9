import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor


class Downloads:
    """The callback is added when the lock is free again, or comes from an event loop, which calls it later."""

    def __init__(self):
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(4)
        self._running = set()

    def start(self, url):
        with self._lock:
            future = self._pool.submit(len, url)
            self._running.add(future)
        future.add_done_callback(self._finished)

    def scheduled(self, coroutine):
        with self._lock:
            task = asyncio.ensure_future(coroutine)
            self._running.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, future):
        with self._lock:
            self._running.discard(future)
