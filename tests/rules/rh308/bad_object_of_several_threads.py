import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor


class Api:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._rows = {}

    async def _get(self, key):
        async with self._lock:  # RH
            return self._rows.setdefault(key, key)

    def get(self, key):
        return asyncio.run(self._get(key))


api = Api()


def worker(keys):
    for key in keys:
        api.get(key)


def main():
    for keys in ("ab", "cd"):
        threading.Thread(target=worker, args=(keys,)).start()


class Store:
    gate = asyncio.Semaphore(2)

    async def put(self, key):
        async with self.gate:  # RH
            await asyncio.sleep(0)


def job(key):
    async def go():
        await Store().put(key)

    asyncio.run(go())


def run_all(keys):
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(job, keys))
