import asyncio
import contextlib
import functools
from asyncio import CancelledError as Stopped

IGNORED = (ConnectionError, asyncio.CancelledError)


async def another_name(chat):
    while True:
        try:
            await chat.receive()
        except (ConnectionError, Stopped):  # RH
            print("again")


async def tuple_of_the_module(chat):
    while True:
        try:
            await chat.receive()
        except IGNORED:  # RH
            print("again")


async def suppressed(queue):
    while True:
        with contextlib.suppress(BaseException):  # RH
            await queue.get()


async def tells_of_it(queue, log):
    while True:
        try:
            await queue.get()
        except BaseException as error:  # RH
            log.warning("failed: %s", error)


class Poller:
    async def once(self):
        try:
            await self.source.read()
        except asyncio.CancelledError:  # RH
            print("interrupted")

    async def run(self):
        while True:
            await self.once()


def never_fails(function):
    @functools.wraps(function)
    async def wrapper(*args):
        try:
            return await function(*args)
        except:  # RH
            print("failed")

    return wrapper


@never_fails
async def sweep(table):
    await table.sweep()


async def sweeper(table):
    while True:
        await sweep(table)
