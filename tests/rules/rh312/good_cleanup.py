import asyncio
import contextlib

import anyio


async def released_first(lock, journal):
    await lock.acquire()
    try:
        await journal.read()
    finally:
        lock.release()
        await asyncio.shield(journal.write("done"))


async def in_a_finally_of_its_own(lock, journal):
    try:
        await journal.read()
    finally:
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await journal.write("done")
        finally:
            lock.release()


async def scope(lock, journal):
    try:
        await journal.read()
    finally:
        with anyio.CancelScope(shield=True):
            await journal.write("done")
        lock.release()


async def waits_for_an_end(work, server):
    task = asyncio.create_task(work)
    try:
        await server.serve()
    finally:
        task.cancel()
        await task


async def catches(lock, journal):
    try:
        await journal.read()
    finally:
        try:
            await journal.write("done")
        except BaseException as error:
            print(error)
        lock.release()


def plain(lock, journal):
    try:
        journal.read()
    finally:
        journal.write("done")
        lock.release()
