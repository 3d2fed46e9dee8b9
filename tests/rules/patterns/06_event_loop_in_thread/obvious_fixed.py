import asyncio
import threading


def worker():
    asyncio.run(work())


threading.Thread(target=worker).start()
