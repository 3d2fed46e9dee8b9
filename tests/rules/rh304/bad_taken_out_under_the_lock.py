import asyncio


class Session:
    def __init__(self, writer):
        self._writer = writer
        self._lock = asyncio.Lock()
        self._waiting = {}

    async def call(self, number, text):
        async with self._lock:
            reply = asyncio.get_running_loop().create_future()
            self._waiting[number] = reply
            self._writer.write(text)
            return await reply  # RH

    async def complete(self, number, result):
        async with self._lock:
            reply = self._waiting.pop(number, None)
        if reply is not None and not reply.done():
            reply.set_result(result)
