import asyncio


def spawn(coroutine):
    return asyncio.get_running_loop().create_task(coroutine)


class Server:
    async def handle(self, request):
        self._log(request)
        return await self._answer(request)

    def _log(self, request):
        spawn(self._write(request))  # RH

    async def _write(self, request):
        await self.sink.write(request)
