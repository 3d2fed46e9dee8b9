import fasteners
import filelock
from filelock import FileLock


async def download(path):
    with FileLock(str(path) + ".lock"):
        await fetch(path)  # RH


async def install(path):
    lock = filelock.FileLock(path)
    with lock:
        prepare(path)
        await fetch(path)  # RH


async def publish(path):
    with fasteners.InterProcessLock(path):
        await send(path)  # RH
