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
            return await answer  # RH

    async def answer(self, key, text):
        async with self._lock:
            self._open.pop(key).set_result(text)
