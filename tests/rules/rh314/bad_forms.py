import asyncio


class Session:
    """It has been used before: then it was there."""

    def __init__(self):
        self._writer = None

    def on_disconnect(self):
        self._writer = None

    async def reply(self, parts):
        self._writer.write(parts[0])
        await asyncio.sleep(0)
        self._writer.write(parts[1])  # RH


class Watch:
    def __init__(self):
        self._timer = None

    async def _tick(self):
        if self._timer:
            await self.report()
            self._timer.restart()  # RH

    async def _end(self):
        self._timer = None

    async def run(self):
        await asyncio.gather(self._tick(), self._end())
