"""Coroutines leave slow work to threads, which count under a lock."""

import asyncio
import threading


class Store:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.saved = 0

    def write(self) -> None:
        with self.lock:
            self.saved += 1

    async def save(self) -> None:
        await asyncio.to_thread(self.write)


setup = Store
WORKERS = [Store.save, Store.save]
