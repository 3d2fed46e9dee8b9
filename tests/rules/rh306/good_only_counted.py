import asyncio


async def upload(path):
    raise PermissionError(path)


async def upload_all(paths):
    tasks = [asyncio.create_task(upload(path)) for path in paths]
    done, _ = await asyncio.wait(tasks)
    for task in done:
        await task
    return len(done)


async def upload_some(paths):
    tasks = [asyncio.create_task(upload(path)) for path in paths]
    done, pending = await asyncio.wait(tasks, timeout=1)
    return done, len(pending)
