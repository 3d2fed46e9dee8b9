import asyncio


def spawn(coroutine):
    return asyncio.get_running_loop().create_task(coroutine)


class Server:
    def __init__(self):
        self._tasks = set()

    async def handle(self, request):
        self._log(request)
        return await self._answer(request)

    def _log(self, request):
        task = spawn(self._write(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, request):
        await self.sink.write(request)
