import asyncio


async def upload(path):
    raise PermissionError(path)


async def upload_all(paths):
    tasks = [asyncio.create_task(upload(path)) for path in paths]
    done, _ = await asyncio.wait(tasks)  # RH
    return len(done)


class Peer:
    def __init__(self, socket):
        self.socket = socket
        self.outbox = asyncio.Queue()
        self.sender = None
        self.receiver = None

    def start(self):
        self.sender = asyncio.create_task(self._send())  # RH
        self.receiver = asyncio.create_task(self._receive())  # RH

    async def _send(self):
        while True:
            await self.socket.send(await self.outbox.get())

    async def _receive(self):
        async for message in self.socket:
            self.outbox.put_nowait(message)

    def stop(self):
        for task in (self.sender, self.receiver):
            if task is not None:
                task.cancel()
