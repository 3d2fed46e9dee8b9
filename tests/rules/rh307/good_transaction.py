import asyncio


async def archive(connection):
    await connection.execute("delete from events")


async def nightly(connection):
    async with connection.transaction():
        task = asyncio.create_task(archive(connection))
        await task


async def listening(connection, other):
    async with connection.transaction():
        task = asyncio.create_task(archive(other))
    await task
