import asyncio
import threading


class Result:
    def __init__(self, make):
        self._condition = make()
        self._ready = threading.Condition()
        self._done = False

    def set(self):
        with self._condition:
            self._done = True
            self._condition.notify_all()

    def wait(self, timeout=None):
        with self._condition:
            self._condition.wait(timeout)  # RH
        return self._done

    def each(self):
        while not self._done:
            with self._ready:
                self._ready.wait()  # RH


class Later:
    def __init__(self):
        self._changed = asyncio.Condition()

    async def wait(self):
        async with self._changed:
            await self._changed.wait()  # RH
