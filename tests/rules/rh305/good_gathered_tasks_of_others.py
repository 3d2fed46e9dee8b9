import asyncio


async def stop_all(loop):
    running = asyncio.all_tasks()
    for task in running:
        task.cancel()
    end = asyncio.gather(*running, return_exceptions=True)
    end.add_done_callback(lambda _: loop.stop())


class Workers:
    def __init__(self):
        self._tasks = set()

    async def stop(self, told):
        done = asyncio.gather(*self._tasks)
        done.add_done_callback(told)
