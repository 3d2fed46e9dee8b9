import asyncio


class Client:
    """The future goes to the task that completes it by way of a queue."""

    def __init__(self):
        self._asked = asyncio.Queue()

    async def flush(self, seconds):
        future = asyncio.get_running_loop().create_future()
        await self._asked.put(future)
        await asyncio.wait_for(future, seconds)

    async def _flusher(self):
        while True:
            future = await self._asked.get()
            try:
                await transmit()
            finally:
                future.set_result(None)  # RH
