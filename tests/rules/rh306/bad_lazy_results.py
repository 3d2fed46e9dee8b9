import asyncio
import functools
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, wait

POOL = ThreadPoolExecutor()


def resize(path):
    open(path).write("smaller")


def mapped(paths):
    with ThreadPoolExecutor() as pool:
        pool.map(resize, paths)  # RH


def applied(path):
    with multiprocessing.Pool() as pool:
        pool.apply_async(resize, (path,))  # RH
        pool.close()
        pool.join()


async def on_a_loop(path):
    asyncio.get_running_loop().run_in_executor(None, resize, path)  # RH


def waited_for(paths):
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(resize, path) for path in paths]
        wait(jobs)  # RH


def in_pool(function):
    @functools.wraps(function)
    def wrapper(*args):
        POOL.submit(function, *args)  # RH

    return wrapper


@in_pool
def send(mailer, letter):
    mailer.send(letter.render())


class Heartbeat:
    def start(self):
        self._task = asyncio.create_task(self._beat())  # RH

    async def _beat(self):
        while True:
            await self.connection.send(b"ping")

    def stop(self):
        if self._task is not None:
            self._task.cancel()


class Consumer:
    def start(self):
        self.worker = asyncio.create_task(self.consume())  # RH

    async def consume(self):
        raise NotImplementedError

    def stop(self):
        self.worker.cancel()


class Mails(Consumer):
    async def consume(self):
        while True:
            await self.smtp.send(await self.queue.get())
