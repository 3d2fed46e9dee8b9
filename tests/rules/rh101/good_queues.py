import asyncio
import queue
import threading


class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self._free = queue.Queue()
        self._tasks = asyncio.Queue()
        self.size = 0

    def take(self):
        try:
            return self._free.get_nowait()
        except queue.Empty:
            return None

    def wait(self):
        if self._free.empty():
            self.log("empty")
        return self.next()

    def patient(self):
        if not self._free.empty():
            return self._free.get(timeout=5)

    def impatient(self):
        if not self._free.empty():
            return self._free.get(block=False)

    def locked(self):
        with self._lock:
            if not self._free.empty():
                return self._free.get()

    def other(self, mailbox):
        if not mailbox.empty():
            return mailbox.get()

    async def of_the_loop(self):
        if not self._tasks.empty():
            return await self._tasks.get()
