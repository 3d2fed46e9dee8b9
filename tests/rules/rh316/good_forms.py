import asyncio
from collections import deque


class Permits:
    """The turn goes to the next one, through a helper."""

    def __init__(self, number):
        self._free = number
        self._waiting = deque()

    async def take(self):
        while not self._free:
            turn = asyncio.Future()
            self._waiting.append(turn)
            try:
                await turn
            except BaseException:
                if turn.done() and not turn.cancelled():
                    self._on_left()
                raise
        self._free -= 1

    def _on_left(self):
        self._wake()

    def give(self):
        self._free += 1
        self._wake()

    def _wake(self):
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                break


class Broadcast:
    """All are woken: nobody depends on one of them."""

    def __init__(self):
        self._waiting = deque()

    async def wait(self):
        turn = asyncio.Future()
        self._waiting.append(turn)
        await turn

    def tell(self):
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)


class Pipeline:
    """The answer belongs to the one who asked."""

    def __init__(self, transport):
        self._transport = transport
        self._asked = deque()

    async def ask(self, question):
        answer = asyncio.Future()
        self._asked.append(answer)
        self._transport.write(question)
        return await answer

    def data_received(self, data):
        answer = self._asked.popleft()
        if not answer.done():
            answer.set_result(data)


class Shut:
    """What is set beside the queue is something else."""

    def __init__(self):
        self._waiting = []
        self._closed = asyncio.Event()

    async def wait(self):
        turn = asyncio.Future()
        self._waiting.append(turn)
        await turn

    def close(self):
        for turn in self._waiting:
            turn.cancel()
        self._closed.set()
