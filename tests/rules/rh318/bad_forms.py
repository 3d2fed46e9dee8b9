import asyncio
from contextlib import AsyncExitStack

import anyio


class Service:
    """Something is on the stack when it waits."""

    async def __aenter__(self):
        self._stack = AsyncExitStack()
        self._tasks = await self._stack.enter_async_context(anyio.create_task_group())
        await self._load()  # RH
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
        await self._connect()  # RH
