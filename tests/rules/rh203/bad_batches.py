import asyncio


class Batch:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._done = {}

    async def _job(self, name):
        async with self._lock:
            self._done[name] = True

    async def in_a_list(self, names):
        async with self._lock:
            tasks = [asyncio.create_task(self._job(name)) for name in names]  # RH
            await asyncio.gather(*tasks)

    async def appended(self, names):
        tasks = []
        async with self._lock:
            for name in names:
                tasks.append(asyncio.create_task(self._job(name)))  # RH
            await asyncio.wait(tasks)

    async def one_by_one(self, names):
        async with self._lock:
            tasks = [asyncio.create_task(self._job(name)) for name in names]  # RH
            for task in tasks:
                await task

    async def in_a_group(self, names):
        async with self._lock:
            async with asyncio.TaskGroup() as group:
                for name in names:
                    group.create_task(self._job(name))  # RH
