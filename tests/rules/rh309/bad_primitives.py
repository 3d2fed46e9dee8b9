"""What the coroutines of an object wait for, in a thread that it starts, is set from another one."""

import asyncio
import threading


class Background:
    def __init__(self):
        self._stopped = asyncio.Event()
        self._jobs = asyncio.Queue()

    def start(self):
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        asyncio.run(self._work())

    async def _work(self):
        job = await self._jobs.get()
        await self.do(job)
        await self._stopped.wait()

    def submit(self, job):
        self._jobs.put_nowait(job)  # RH

    def stop(self):
        self._stopped.set()  # RH
        self._thread.join()
