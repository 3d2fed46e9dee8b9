import asyncio
import threading


async def ask(work):
    answer = asyncio.get_running_loop().create_future()

    def run():
        answer.set_result(work())  # RH

    threading.Thread(target=run).start()
    return await answer


class Asker:
    def __init__(self, loop):
        self.answer = loop.create_future()

    def start(self):
        threading.Thread(target=self._run).start()

    def _run(self):
        self.answer.set_exception(OSError())  # RH
