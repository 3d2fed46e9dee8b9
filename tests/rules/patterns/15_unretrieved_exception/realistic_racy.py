import asyncio


class Notifier:
    def __init__(self, targets):
        self._targets = targets

    async def _send(self, target, text):
        await target.send(text)

    async def notify(self, text):
        calls = [self._send(target, text) for target in self._targets]
        await asyncio.gather(*calls, return_exceptions=True)  # RH
