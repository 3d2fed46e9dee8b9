import asyncio
import threading


class Inbox:
    def __init__(self):
        self._queue = asyncio.Queue[bytes]()
        threading.Thread(target=self._read).start()

    def _read(self):
        self._queue.put_nowait(b"")  # RH

    async def next(self):
        return await self._queue.get()
