import asyncio
import threading


class Keeper:
    def __init__(self, client):
        self._lock = threading.RLock()
        self.client = client
        self.token = None

    async def get(self):
        with self._lock:
            if self.token is None:
                self.token = await self.client.log_in()  # RH
            return self.token


async def main(client, urls):
    keeper = Keeper(client)
    await asyncio.gather(*(keeper.get() for _ in urls))
