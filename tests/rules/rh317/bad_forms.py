import asyncio


class Device:
    """The keep-alive asks as well."""

    def __init__(self, transport):
        self._transport = transport
        self._reply = None

    def data_received(self, data):
        if self._reply is not None and not self._reply.done():
            self._reply.set_result(data)

    async def status(self):
        return await self._ask(b"status")

    async def _ask(self, command):
        self._reply = asyncio.get_running_loop().create_future()
        self._transport.write(command)
        return await asyncio.wait_for(self._reply, 5)  # RH

    async def _keep_alive(self):
        while True:
            await self._ask(b"ping")
            await asyncio.sleep(5)

    def start(self):
        self._beat = asyncio.create_task(self._keep_alive())


class Flow:
    """Nobody may wait there, it says; the second writer fails."""

    def __init__(self, loop):
        self._loop = loop
        self._paused = False
        self._waiter = None

    def resume_writing(self):
        self._paused = False
        waiter = self._waiter
        if waiter is not None:
            self._waiter = None
            waiter.set_result(None)

    async def _drain_helper(self):
        if not self._paused:
            return
        waiter = self._waiter
        assert waiter is None or waiter.cancelled()
        waiter = self._loop.create_future()
        self._waiter = waiter
        await waiter  # RH


class Bell:
    def __init__(self):
        self._rung = None

    def ring(self):
        if self._rung is not None:
            self._rung.set()

    async def next_ring(self):
        self._rung = asyncio.Event()
        await self._rung.wait()  # RH


async def main():
    bell = Bell()
    await asyncio.gather(bell.next_ring(), bell.next_ring())
