import asyncio


class Locked:
    def __init__(self, transport):
        self._transport = transport
        self._reply = None
        self._lock = asyncio.Lock()

    def data_received(self, data):
        if self._reply is not None and not self._reply.done():
            self._reply.set_result(data)

    async def ask(self, command):
        async with self._lock:
            self._reply = asyncio.get_running_loop().create_future()
            self._transport.write(command)
            return await self._reply

    async def _keep_alive(self):
        while True:
            await self.ask(b"ping")
            await asyncio.sleep(5)

    def start(self):
        self._beat = asyncio.create_task(self._keep_alive())


class Refusing:
    def __init__(self):
        self._rung = None

    def ring(self):
        if self._rung is not None:
            self._rung.set_result(None)

    async def next_ring(self):
        if self._rung is not None:
            raise RuntimeError("somebody waits already")
        self._rung = asyncio.Future()
        await self._rung


class Queued:
    def __init__(self):
        self._rung = None

    def ring(self):
        if self._rung is not None:
            self._rung.set_result(None)

    async def next_ring(self):
        while self._rung is not None:
            await asyncio.sleep(0)
        self._rung = asyncio.Future()
        await self._rung


class Claimed:
    def __init__(self):
        self._busy = False
        self._rung = None

    def ring(self):
        self._rung.set_result(None)

    async def next_ring(self):
        if self._busy:
            raise RuntimeError("somebody waits already")
        self._busy = True
        self._rung = asyncio.Future()
        await self._rung
        self._busy = False


async def main():
    for kind in (Refusing, Queued, Claimed):
        bell = kind()
        await asyncio.gather(bell.next_ring(), bell.next_ring())
