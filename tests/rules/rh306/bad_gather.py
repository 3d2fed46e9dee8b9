import asyncio


async def tell(listeners, event):
    await asyncio.gather(*(listener(event) for listener in listeners), return_exceptions=True)  # RH


async def tell_and_keep(listeners, event):
    outcomes = await asyncio.gather(*(listener(event) for listener in listeners), return_exceptions=True)  # RH
