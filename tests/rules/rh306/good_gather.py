import asyncio


async def tell(listeners, event):
    return await asyncio.gather(*(listener(event) for listener in listeners), return_exceptions=True)


async def close(tasks):
    await asyncio.gather(*tasks, return_exceptions=True)


async def give_up(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def strict(tasks):
    await asyncio.gather(*tasks)


async def drop_idle(connections):
    await asyncio.gather(*[item.aclose() for item in connections if item.idle], return_exceptions=True)


async def told(tabs):
    async def redirect(tab):
        try:
            await tab.go()
        except Exception as error:
            print(error)

    await asyncio.gather(*[redirect(tab) for tab in tabs], return_exceptions=True)
    await report(tabs)


async def looked_at(listeners, event):
    outcomes = await asyncio.gather(*(listener(event) for listener in listeners), return_exceptions=True)

    def failed():
        return [item for item in outcomes if isinstance(item, Exception)]

    return failed


async def not_wanted(listeners, event):
    _ = await asyncio.gather(*(listener(event) for listener in listeners), return_exceptions=True)
