import asyncio

import aiofiles
import asyncpg


async def write_rows(target, rows):
    async for row in rows:
        await target.write(row)


async def export(path, rows):
    spawn = asyncio.create_task
    async with aiofiles.open(path, "w") as file:
        target = file
        task = spawn(write_rows(target, rows))  # RH
    return task


async def insert_all(dsn, rows):
    async with asyncpg.create_pool(dsn) as pool:
        connection = await pool.acquire()
        task = asyncio.create_task(write_rows(connection, rows))  # RH
    return task
