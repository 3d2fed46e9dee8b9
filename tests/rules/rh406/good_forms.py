import asyncio
import os
import threading

LOCK = threading.Lock()


def main():
    os.chdir("/")
    os.environ["A"] = "b"
    threading.Thread(target=work).start()


def work():
    environ = dict(os.environ)
    environ["A"] = "c"
    with LOCK:
        os.chdir("/")
    os.environ.get("A")


async def quick(directory):
    before = os.getcwd()
    os.chdir(directory)
    os.chdir(before)


async def many(directories):
    await asyncio.gather(*(quick(name) for name in directories))
