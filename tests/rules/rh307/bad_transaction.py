import asyncio


async def archive(connection):
    await connection.execute("delete from events")


async def nightly(connection):
    async with connection.transaction():
        task = asyncio.create_task(archive(connection))  # RH
    await task
