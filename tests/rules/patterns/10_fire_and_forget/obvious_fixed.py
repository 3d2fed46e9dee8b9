import asyncio

background = set()


async def on_message(message):
    task = asyncio.create_task(store(message))
    background.add(task)
    task.add_done_callback(background.discard)
