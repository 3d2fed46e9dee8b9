import asyncio
import threading


class ClearedFirst:
    def __init__(self):
        self._wake = threading.Event()

    def put(self):
        self._wake.set()

    def run(self):
        while True:
            self._wake.wait()
            self._wake.clear()
            self.send()


class LooksBeforeTheWait:
    """What came meanwhile is found in the next round, before the wait."""

    def __init__(self):
        self._wake = threading.Event()

    def put(self):
        self._wake.set()

    def run(self):
        while True:
            self._wake.wait()
            self.prepare()
            self._wake.clear()
            self.send()


class Drained:
    """No await stands between the last look and the clearing."""

    def __init__(self):
        self._wake = asyncio.Event()
        self._queue = []

    def put(self, item):
        self._queue.append(item)
        self._wake.set()

    async def run(self):
        while True:
            await self._wake.wait()
            while self._queue:
                await self.send(self._queue.pop())
            self._wake.clear()


class Once:
    def __init__(self):
        self._wake = threading.Event()

    def put(self):
        self._wake.set()

    def run(self):
        self._wake.wait()
        self.send()
        self._wake.clear()


class OnlyItself:
    """Nobody else sets it."""

    def __init__(self):
        self._wake = threading.Event()

    def run(self):
        while True:
            self._wake.wait()
            self.send()
            self._wake.clear()
