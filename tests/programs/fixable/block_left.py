"""A connection that is closed while its task still wants to send."""

import asyncio


class Connection:
    def __init__(self):
        self.open = False
        self.sent = []

    async def __aenter__(self):
        self.open = True
        return self

    async def __aexit__(self, *exc):
        await asyncio.sleep(0)
        self.open = False

    async def send(self, text):
        await asyncio.sleep(0)
        if not self.open:
            raise ConnectionError("closed")
        self.sent.append(text)


async def notify(connection: Connection):
    async with connection:
        task = asyncio.create_task(connection.send("hello"))
    return task


def check():
    async def main():
        connection = Connection()
        task = await notify(connection)
        await asyncio.gather(task, return_exceptions=True)
        return connection.sent

    assert asyncio.run(main()) in (["hello"], [])
