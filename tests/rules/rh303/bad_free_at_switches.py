import asyncio
import threading


class Completed:
    def __init__(self):
        self.queue = []
        self.lock = threading.Lock()
        self.condition = asyncio.Condition()

    async def track(self, future):
        result = await future
        with self.lock:
            self.queue.append(result)
            async with self.condition:  # RH
                self.condition.notify()

    async def drain(self, target):
        async with self.condition:
            await target.send(self.queue)

    def update(self, results):
        with self.lock:
            self.queue.extend(results)
