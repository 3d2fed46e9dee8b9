import asyncio


async def leaves(queue):
    while True:
        try:
            await queue.get()
        except asyncio.CancelledError:
            break
        except Exception:
            print("again")


async def raises(queue):
    while True:
        try:
            await queue.get()
        except BaseException:
            print("cancelled")
            raise


async def at_the_end(queue):
    try:
        while True:
            await queue.get()
    except asyncio.CancelledError:
        print("done")


async def own_child(children):
    for child in children:
        child.cancel()
        try:
            await child
        except asyncio.CancelledError:
            pass


async def nothing_awaited(items):
    for item in items:
        try:
            item()
        except:
            pass


def plain(items):
    for item in items:
        try:
            item()
        except BaseException:
            pass


async def earlier_clause(queue):
    while True:
        try:
            await queue.get()
        except asyncio.CancelledError:
            raise
        except:
            pass
