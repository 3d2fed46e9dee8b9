import asyncio
from concurrent.futures import ThreadPoolExecutor


async def sync(user):
    if not user:
        raise ValueError(user)
    await asyncio.sleep(1)


async def counted(users):
    tasks = [asyncio.create_task(sync(user)) for user in users]  # RH
    await asyncio.sleep(2)
    print(len(tasks))


async def added(users):
    tasks = []
    for user in users:
        tasks.append(asyncio.create_task(sync(user)))  # RH
    await asyncio.sleep(2)


async def looked_at(users):
    tasks = {user: asyncio.create_task(sync(user)) for user in users}  # RH
    while not all(task.done() for task in tasks.values()):
        await asyncio.sleep(1)


async def one(user):
    task = asyncio.create_task(sync(user))  # RH
    while not task.done():
        await asyncio.sleep(1)


def copy(path):
    with open(path) as file:
        return file.read()


def pooled(paths):
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(copy, path) for path in paths]  # RH
    print(len(futures))


def single(path):
    with ThreadPoolExecutor() as pool:
        future = pool.submit(copy, path)  # RH
    print("copied")
