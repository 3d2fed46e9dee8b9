import asyncio
import threading

lock = threading.Lock()


async def save(item):
    with lock:
        await write(item)  # RH
