import asyncio
from contextlib import AsyncExitStack

import anyio


class Last:
    """Nothing is waited for behind the entry."""

    async def start(self):
        await self._load()
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()

    async def stop(self):
        await self._tasks.__aexit__(None, None, None)


class Empty:
    """An empty stack keeps nothing."""

    async def __aenter__(self):
        self._stack = AsyncExitStack()
        await self._stack.__aenter__()
        await self._load()
        return self

    async def __aexit__(self, *error):
        await self._stack.__aexit__(*error)


class Popped:
    async def __aenter__(self):
        async with AsyncExitStack() as stack:
            self._tasks = await stack.enter_async_context(anyio.create_task_group())
            await self._load()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *error):
        await self._stack.__aexit__(*error)


class Base:
    async def start(self):
        self._group = asyncio.TaskGroup()
        await self._group.__aenter__()

    async def stop(self):
        await self._group.__aexit__(None, None, None)


class Derived(Base):
    async def start(self):
        await super().start()
        try:
            await self._connect()
        except BaseException:
            await super().stop()
            raise
