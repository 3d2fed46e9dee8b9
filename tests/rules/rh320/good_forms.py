import asyncio
import contextlib


async def cancellation_seen_beside_it(address):
    link = await dial(address)
    try:
        await link.greet()
    except asyncio.CancelledError:
        link.close()
        raise
    except Exception:
        link.close()
        raise
    return link


ENDS = (OSError, asyncio.CancelledError)


async def cancellation_among_others(address):
    link = await dial(address)
    try:
        await link.greet()
    except ENDS:
        link.close()
        raise
    return link


async def in_the_end(address):
    link = await dial(address)
    ready = False
    try:
        await link.greet()
        ready = True
    except Exception:
        link.close()
        raise
    finally:
        if not ready:
            link.close()
    return link


async def by_its_context(address):
    link = await dial(address)
    async with link:
        try:
            await link.greet()
        except Exception:
            link.close()
            raise


async def under_a_wider_handler(address):
    link = await dial(address)
    try:
        try:
            await link.greet()
        except Exception:
            link.close()
            raise
    except BaseException:
        link.abort()
        raise


async def of_the_caller(link):
    try:
        await link.greet()
    except Exception:
        link.close()
        raise


async def goes_on(address):
    link = await dial(address)
    try:
        await link.greet()
    except Exception:
        link.close()
    return link


async def nothing_awaited_after_it(address):
    try:
        link = await dial(address)
        link.greet()
    except Exception:
        link.close()
        raise


class Links:
    """Whoever closes all of them closes this one."""

    def __init__(self):
        self._links = []

    async def dial(self, address):
        link = await dial(address)
        self._links.append(link)
        try:
            await link.greet()
        except Exception:
            link.close()
            raise

    async def keep(self, address):
        link = await dial(address)
        self._last = link
        try:
            await link.greet()
        except Exception:
            link.close()
            raise


async def only_told(address):
    link = await dial(address)
    try:
        await link.greet()
    except Exception:
        print(link)
        raise
    with contextlib.suppress(OSError):
        link.close()


async def shielded(address, scope):
    link = await dial(address)
    with scope(shield=True):
        try:
            await link.greet()
        except Exception:
            link.close()
            raise


async def future(stream):
    """It does nothing by itself, and nobody has it."""
    ready = asyncio.Future()
    try:
        await stream.greet()
    except Exception:
        ready.cancel()
        raise
    ready.set_result(True)


async def of_trio(trio, address):
    link = await dial(address)
    try:
        await link.greet()
    except (trio.Cancelled, Exception):
        link.close()
        raise
    return link


async def of_anyio(anyio, address):
    link = await dial(address)
    try:
        await link.greet()
    except (anyio.get_cancelled_exc_class(), OSError):
        link.close()
        raise
    return link
