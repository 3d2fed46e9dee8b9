import asyncio
import contextlib


async def by_handler_of_all_errors(address):
    session = make_session(address)
    try:
        await session.greet()  # RH
        return session
    except Exception as error:
        await session.disconnect()
        raise error


async def with_another_handler_beside_it(address):
    link = await dial(address)
    try:
        await link.greet()  # RH
    except TimeoutError:
        return None
    except Exception:
        link.close()
        raise
    return link


async def made_inside(pool):
    link = None
    try:
        link = await pool.acquire()
        await link.greet()  # RH
    except Exception:
        pool.release(link)
        raise
    return link


@contextlib.asynccontextmanager
async def for_a_block(database):
    work = await database.begin()
    try:
        yield work  # RH
    except Exception:
        await work.rollback()
        raise


async def task(stream):
    pump = asyncio.create_task(stream.pump())
    try:
        await stream.greet()  # RH
    except Exception:
        pump.cancel()
        raise
    return await pump


async def of_one_error(channel, limit):
    voice = make_voice(channel)
    try:
        await voice.connect(limit)  # RH
    except TimeoutError:
        await voice.disconnect()
        raise
    return voice
