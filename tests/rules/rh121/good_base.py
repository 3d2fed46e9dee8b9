import asyncio


class Connector:
    def __init__(self):
        self._closed = False

    async def connect(self, host):
        if self._closed:
            raise RuntimeError("closed")
        return await self._create(host)

    async def close(self):
        self._closed = True
        await asyncio.sleep(0)


class InOrder(Connector):
    async def _create(self, host):
        return await self._resolver.resolve(host)

    async def close(self):
        await super().close()
        await self._resolver.close()


class Unused(Connector):
    """Nothing works with what is closed."""

    async def close(self):
        await self._report.close()
        await super().close()


class AtOnce(Connector):
    """Nobody comes between."""

    async def _create(self, host):
        return await self._resolver.resolve(host)

    async def close(self):
        self._resolver.close()
        await super().close()


class NotesItself(Connector):
    """It has a state of its own, which comes first."""

    async def _create(self, host):
        return await self._resolver.resolve(host)

    async def close(self):
        self.state = "closing"
        await self._resolver.close()
        await super().close()
