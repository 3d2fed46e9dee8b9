class Client:
    def __init__(self, pool):
        self.pool = pool
        self.connection = None
        self.single = True

    async def __aenter__(self):
        return await self.initialize()

    async def initialize(self):
        if self.single and self.connection is None:
            self.connection = await self.pool.get_connection("_")  # RH
        return self

    async def execute(self, *words):
        await self.initialize()
        return await self.connection.send(words)
