import asyncio
import threading
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.pool import ThreadPool
from threading import Thread as T
from threading import Timer


class Submitted:
    def __init__(self):
        self.n = 0
        self.pool = ThreadPoolExecutor()

    def start(self):
        self.pool.submit(self._work, 1)

    def _work(self, amount):
        self._helper(amount)

    def _helper(self, amount):
        self.n += amount  # RH


class Mapped:
    def __init__(self):
        self.n = 0

    def start(self, items):
        with ThreadPool() as pool:
            pool.map(partial(self.work, 1), items)

    def work(self, amount, item):
        self.n += amount  # RH


class Targeted:
    def __init__(self):
        self.n = 0

    def start(self):
        return [T(target=lambda: self.work()) for _ in range(3)]

    def work(self):
        self.n += 1  # RH


class Timed:
    def __init__(self):
        self.n = 0

    def tick(self):
        self.n += 1  # RH
        Timer(1.0, self.tick).start()

    def back(self):
        self.n -= 1  # RH


class Offloaded:
    def __init__(self):
        self.n = 0
        self.m = 0
        self.k = 0

    async def start(self):
        loop = asyncio.get_running_loop()
        await asyncio.to_thread(self.work)
        await loop.run_in_executor(None, self.more)
        future = futures.ThreadPoolExecutor().submit(print)
        future.add_done_callback(self.done)

    def work(self):
        self.n += 1  # RH

    def more(self):
        self.m += 1  # RH

    def done(self, future):
        self.k += 1  # RH


class Background(threading.Thread):
    def __init__(self):
        super().__init__()
        self.n = 0

    def run(self):
        self.n += 1  # RH

    def bump(self):
        self.n += 1  # RH


class Nested:
    def __init__(self):
        self.n = 0

    def start(self):
        def work():
            self.n += 1  # RH

        for _ in range(2):
            threading.Thread(target=work).start()


class Held:
    def __init__(self):
        self.n = 0

    def bump(self):
        self.n += 1  # RH


class Holder:
    def __init__(self, held: "Held | None" = None):
        self._held = held or Held()

    def start(self, pool: ThreadPoolExecutor):
        for _ in range(3):
            pool.submit(self.work)

    def work(self):
        held = self._held
        held.bump()


class Passed:
    def __init__(self):
        self.n = 0

    def bump(self):
        self.n += 1  # RH


def worker(passed: Passed):
    again(passed)


def again(passed: Passed):
    passed.bump()


def main():
    passed = Passed()
    for _ in range(3):
        threading.Thread(target=worker, args=(passed,)).start()
