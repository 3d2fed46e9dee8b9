import asyncio
from concurrent.futures import ThreadPoolExecutor, wait


def resize(path):
    open(path).write("smaller")


def mapped(paths):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(resize, paths))


def of_somebody_else(frame, paths):
    frame.map(resize, paths)


async def on_a_loop(path):
    await asyncio.get_running_loop().run_in_executor(None, resize, path)


def waited_for(paths):
    with ThreadPoolExecutor() as pool:
        jobs = [pool.submit(resize, path) for path in paths]
        wait(jobs)
        for job in jobs:
            job.result()


class Asked:
    def start(self):
        self._task = asyncio.create_task(self._beat())
        self._task.add_done_callback(print)

    async def _beat(self):
        while True:
            await self.connection.send(b"ping")

    def stop(self):
        self._task.cancel()


class Awaited:
    def start(self):
        self._task = asyncio.create_task(self._beat())

    async def _beat(self):
        while True:
            await self.connection.send(b"ping")

    async def stop(self):
        self._task.cancel()
        await self._task


class Seen:
    def start(self):
        self.beating = asyncio.create_task(self._beat())

    async def _beat(self):
        while True:
            await self.connection.send(b"ping")

    def stop(self):
        self.beating.cancel()


async def watch(seen):
    await seen.beating


class Catches:
    def start(self):
        self._task = asyncio.create_task(self._beat())

    async def _beat(self):
        while True:
            try:
                await self.connection.send(b"ping")
            except Exception as error:
                print(error)

    def stop(self):
        self._task.cancel()
