import asyncio
import threading


class Background:
    def __init__(self):
        self._stopped = asyncio.Event()
        self._over = threading.Event()

    def start(self):
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self._work())
        self._over.set()

    async def _work(self):
        await self._stopped.wait()
        self._end()

    def _end(self):
        self._stopped.clear()

    def stop(self):
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._over.wait()
        self._thread.join()
        self._stopped.clear()


class OnItsLoop:
    """The thread runs something else."""

    def __init__(self):
        self._stopped = asyncio.Event()

    def start(self):
        threading.Thread(target=self._watch).start()

    def _watch(self):
        print("watching")

    async def work(self):
        await self._stopped.wait()

    def stop(self):
        self._stopped.set()
