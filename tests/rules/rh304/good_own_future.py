import asyncio


class Desk:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._open = {}

    async def ask(self, key, question):
        answer = asyncio.get_running_loop().create_future()
        async with self._lock:
            self._open[key] = answer
            question.send(key)
        return await answer

    async def answer(self, key, text):
        async with self._lock:
            future = self._open.pop(key)
            if not future.done():
                future.set_result(text)
