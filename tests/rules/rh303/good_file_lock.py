from filelock import AsyncFileLock, FileLock


async def short(path):
    with FileLock(path):
        write(path)
    await send(path)


async def of_tasks(path):
    async with AsyncFileLock(path):
        await send(path)


async def given_up(path):
    with FileLock(path, timeout=0):
        await send(path)


def of_threads(path):
    with FileLock(path):
        write(path)


async def taken_last(lock):
    lock.acquire()
