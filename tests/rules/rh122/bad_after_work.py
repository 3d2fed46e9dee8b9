import asyncio
import threading


class Sender:
    """The wait has a limit, so what was missed comes late."""

    def __init__(self):
        self._wake = threading.Event()
        self._queue = []
        self._over = False

    def put(self, item):
        self._queue.append(item)
        self._wake.set()

    def run(self):
        while not self._over:
            woken = self._wake.wait(5.0)
            if self._over:
                break
            self.send(woken)
            self._wake.clear()  # RH


class Consumer:
    def __init__(self):
        self._wake = asyncio.Event()
        self._queue = []

    def put(self, item):
        self._queue.append(item)
        self._wake.set()

    async def run(self):
        while True:
            await self._wake.wait()
            await self.send(self._queue.pop())
            self._wake.clear()  # RH
