import asyncio
import threading


def worker():
    loop = asyncio.get_event_loop()  # RH
    loop.run_until_complete(work())


threading.Thread(target=worker).start()
