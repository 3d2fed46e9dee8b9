import asyncio


class Locked:
    def __init__(self, address):
        self._address = address
        self._link = None
        self._lock = asyncio.Lock()

    async def send(self, text):
        async with self._lock:
            if self._link is None:
                self._link = await asyncio.open_connection(self._address)
        self._link.write(text)
