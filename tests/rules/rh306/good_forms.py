import asyncio
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


class Uploader:
    def __init__(self, loop):
        self._pool = ThreadPoolExecutor(4)
        self._loop = loop

    def _upload(self, name):
        try:
            send(name)
        except Exception:
            log(name)

    def _nothing(self):
        self.done = True
        self.seen.pop("x", None)

    def upload(self, name):
        self._pool.submit(self._upload, name)
        self._pool.submit(self._nothing)
        self._pool.submit(unknown, name)
        future = self._pool.submit(self._send, name)
        future.result()
        self._pool.submit(self._send, name).add_done_callback(print)
        form.submit()

    def _send(self, name):
        send(name)

    async def _notify(self, name):
        await post(name)

    def notify(self, name):
        return asyncio.run_coroutine_threadsafe(self._notify(name), self._loop).result()

    def notify_unknown(self, coroutine):
        asyncio.run_coroutine_threadsafe(coroutine, self._loop)


async def stop(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def asks(sources):
    tasks = [asyncio.create_task(source.read()) for source in sources]
    await asyncio.wait(tasks)
    for task in tasks:
        print(task.exception())


async def event(ready):
    await ready.wait()
    await asyncio.wait([asyncio.create_task(ready.wait())])


async def given(tasks):
    await asyncio.wait(tasks)


async def hands_them_on(socket):
    reading = asyncio.create_task(asks(socket))
    writing = asyncio.create_task(asks(socket))
    tasks = [reading, writing]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await clean_up(socket, reading, writing)
