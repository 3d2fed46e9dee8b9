import asyncio


class Batch:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._done = {}

    async def _job(self, name):
        async with self._lock:
            self._done[name] = True

    async def after_the_lock(self, names):
        async with self._lock:
            tasks = [asyncio.create_task(self._job(name)) for name in names]
        await asyncio.gather(*tasks)

    async def group_around_the_lock(self, names):
        async with asyncio.TaskGroup() as group:
            for name in names:
                async with self._lock:
                    group.create_task(self._job(name))

    async def for_a_while(self, names):
        async with self._lock:
            tasks = [asyncio.create_task(self._job(name)) for name in names]
            await asyncio.wait(tasks, timeout=1)
