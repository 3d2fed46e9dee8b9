"""Made from a file of coroutines: the calls give back nothing that could be awaited."""

import asyncio


class Monitor:
    def __init__(self, executor):
        self._executor = executor

    def join(self):
        asyncio.gather(self._executor.join(), return_exceptions=True)
