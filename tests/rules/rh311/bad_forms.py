import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import Queue


class Bridge:
    def __init__(self):
        self._inbox = Queue()
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work)

    def _work(self):
        self._ready.set()

    async def receive(self):
        return self._inbox.get(timeout=5)  # RH

    async def start(self):
        self._thread.start()
        self._ready.wait()  # RH

    def _wait(self):
        self._thread.join()

    async def stop(self):
        self._wait()  # RH

    async def enter(self):
        self._lock.acquire()  # RH
