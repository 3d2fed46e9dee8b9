import asyncio
import threading


class Bridge:
    def __init__(self):
        self.loop = asyncio.get_event_loop()
        self.done = asyncio.Event()

    def start(self):
        threading.Thread(target=self._work).start()

    def _work(self):
        self._finish()
        self.loop.call_soon(print, "done")  # RH

    def _finish(self):
        self.done.set()  # RH


class Poller(threading.Thread):
    def __init__(self, loop, future):
        super().__init__()
        self.loop = loop

    def run(self):
        self.loop.create_task(poll())  # RH
        self.loop.stop()  # RH


def schedule():
    asyncio.ensure_future(poll())  # RH


async def poll():
    await asyncio.to_thread(schedule)
