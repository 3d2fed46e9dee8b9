import asyncio
import threading
import time


class Buffer:
    def __init__(self):
        self._rows = []
        self.mutex = threading.Lock()

    def add(self, row):
        with self.mutex:
            self._rows.append(row)

    def take(self):
        rows, self._rows = self._rows, []
        return rows


class Uplink:
    def __init__(self, buffer: Buffer):
        self.buffer = buffer

    async def _send(self, rows):
        reader, writer = await asyncio.open_connection("localhost", 7000)
        writer.write(repr(rows).encode())
        await writer.drain()

    async def flush(self):
        with self.buffer.mutex:
            await self._send(self.buffer.take())  # RH

    async def run(self):
        while True:
            await self.flush()


def sample(buffer: Buffer):
    while True:
        buffer.add(time.time())


def main():
    buffer = Buffer()
    threading.Thread(target=sample, args=(buffer,)).start()
    asyncio.run(Uplink(buffer).run())
