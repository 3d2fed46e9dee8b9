import asyncio
from contextlib import asynccontextmanager


async def released_late(lock, journal):
    await lock.acquire()
    try:
        await journal.read()
    finally:
        await journal.write("done")  # RH
        lock.release()


@asynccontextmanager
async def leased(pool, journal):
    connection = await pool.acquire()
    try:
        yield connection
    finally:
        await journal.write("released")  # RH
        pool.release(connection)


class Session:
    def __init__(self, connection):
        self.connection = connection

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exception):
        await self.connection.send(b"QUIT")  # RH
        self.connection.close()


class Worker:
    async def end(self):
        await self.broker.flush()  # RH
        self.pump.cancel()

    async def run(self):
        self.pump = asyncio.create_task(self.broker.pump())
        try:
            await self.broker.serve()
        finally:
            await self.end()


async def told(store, job, lock):
    try:
        await job.execute()
    except asyncio.CancelledError:
        await store.mark(job, "cancelled")  # RH
        lock.release()
        raise


async def half_done(upload):
    try:
        await upload.send()
    finally:
        await upload.delete()  # RH


async def one_way_only(lock, journal, quiet):
    try:
        await journal.read()
    finally:
        if not quiet:
            await journal.write("done")  # RH
        lock.release()
