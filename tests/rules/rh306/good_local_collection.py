import asyncio
from concurrent.futures import ThreadPoolExecutor


async def sync(user):
    if not user:
        raise ValueError(user)
    await asyncio.sleep(1)


async def gathered(users):
    tasks = [asyncio.create_task(sync(user)) for user in users]
    print(len(tasks))
    await asyncio.gather(*tasks)


async def awaited(users):
    tasks = []
    for user in users:
        tasks.append(asyncio.create_task(sync(user)))
    for task in tasks:
        await task


async def handed_out(users):
    tasks = {user: asyncio.create_task(sync(user)) for user in users}
    return tasks


async def asked(users):
    tasks = [asyncio.create_task(sync(user)) for user in users]
    await asyncio.sleep(2)
    print(sum(task.exception() is not None for task in tasks))


def copy(path):
    with open(path) as file:
        return file.read()


def pooled(paths):
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(copy, path) for path in paths]
    return [future.result() for future in futures]


def unwanted(path):
    with ThreadPoolExecutor() as pool:
        _future = pool.submit(copy, path)
