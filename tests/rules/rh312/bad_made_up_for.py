import asyncio


async def settle(work, other):
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        try:
            await asyncio.wait({task}, timeout=2)  # RH
            task.cancel()
        except BaseException:
            other.cancel()
            raise
        raise


async def settle_in_time(work, other):
    await asyncio.wait_for(settle(work, other), 5)
