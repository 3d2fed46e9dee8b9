import asyncio


async def run_all(jobs):
    tasks = [asyncio.create_task(job()) for job in jobs]
    await asyncio.wait(tasks)  # RH
    return len(tasks)
