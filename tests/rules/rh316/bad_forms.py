import asyncio
from collections import deque


class Permits:
    """`except Exception` does not catch that it is cancelled."""

    def __init__(self, number):
        self._free = number
        self._waiting = deque()

    async def take(self):
        while not self._free:
            turn = asyncio.Future()
            self._waiting.append(turn)
            try:
                await turn  # RH
            except Exception:
                self._wake()
                raise
        self._free -= 1

    def give(self):
        self._free += 1
        self._wake()

    def _wake(self):
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                break


class Baton:
    """It takes itself out of the queue, and what it was given with it."""

    def __init__(self):
        self._holder = None
        self._queue = []

    async def take(self):
        me = asyncio.current_task()
        event = asyncio.Event()
        entry = (me, event)
        self._queue.append(entry)
        try:
            await asyncio.wait_for(event.wait(), 5)  # RH
        finally:
            if entry in self._queue:
                self._queue.remove(entry)

    def give(self):
        if self._queue:
            self._holder, event = self._queue.pop(0)
            event.set()
        else:
            self._holder = None


class Line:
    def __init__(self):
        self._line = deque()

    async def stand(self):
        place = asyncio.get_running_loop().create_future()
        self._line.append(place)
        await place  # RH

    def next(self):
        for place in self._line:
            if not place.done():
                place.set_result(True)
                return


class Pool:
    """What is given back goes to one who no longer waits."""

    def __init__(self):
        self._idle = deque()
        self._waiting = deque()

    async def get(self):
        if self._idle:
            return self._idle.popleft()
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            return await asyncio.wait_for(waiter, 5)  # RH
        except asyncio.TimeoutError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            raise

    def release(self, connection):
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(connection)
                return
        self._idle.append(connection)
