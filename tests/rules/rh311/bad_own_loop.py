import asyncio


class Client:
    def __init__(self, loop):
        self.loop = loop

    async def _send(self, message):
        await asyncio.sleep(0)
        return message

    def send(self, message):
        future = asyncio.run_coroutine_threadsafe(self._send(message), self.loop)
        return future.result(5)

    async def relay(self, messages):
        async for message in messages:
            self.send(message)  # RH

    async def ask(self, message):
        return asyncio.run_coroutine_threadsafe(self._send(message), self.loop).result()  # RH
