import asyncio


async def on_message(message):
    asyncio.create_task(store(message))  # RH
