import asyncio
import threading


class Backend:
    def __init__(self):
        self.queue = None
        self.lock = asyncio.Lock()

    async def _main(self):
        self.queue = asyncio.Queue()
        async with self.lock:
            await self.queue.get()

    def start(self):
        threading.Thread(target=lambda: asyncio.run(self._main())).start()
