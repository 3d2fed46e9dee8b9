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
            async with self.condition:
                self.condition.notify()

    def update(self, results):
        with self.lock:
            self.queue.extend(results)
