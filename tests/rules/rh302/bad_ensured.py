class Store:
    def __init__(self, engine):
        self._engine = engine
        self._missing = True
        self._pool = None

    async def _ensure(self):
        if self._missing:
            await self._engine.create()
            self._missing = False  # RH

    async def _connected(self):
        if self._pool is None:
            self._pool = await self._engine.pool()  # RH
        return self._pool

    async def read(self):
        await self._ensure()
        return await (await self._connected()).read()

    async def write(self, value):
        await self._ensure()
        await (await self._connected()).write(value)
