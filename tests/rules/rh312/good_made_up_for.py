import asyncio


async def settle(work):
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        try:
            await asyncio.wait({task}, timeout=2)
            task.cancel()
        except BaseException:
            task.cancel()
            raise
        raise


async def settle_in_time(work):
    await asyncio.wait_for(settle(work), 5)
