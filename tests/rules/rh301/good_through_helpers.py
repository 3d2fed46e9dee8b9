import asyncio


class Notifier:
    def __init__(self, gateway):
        self.gateway = gateway
        self.order = None

    def _subject(self):
        return f"Order {self.order['id']}"

    async def notify(self, order):
        address = await self.gateway.address(order)
        self.order = order
        subject = self._subject()
        await self.gateway.send(address, subject)

    async def notify_all(self, orders):
        await asyncio.gather(*map(self.notify, orders))


class Renewing:
    def __init__(self, gateway):
        self.gateway = gateway
        self.order = None

    def _take(self, order):
        self.order = order
        return self.order

    async def notify(self, order):
        self.order = order
        await self.gateway.send(order)
        self._take(order)

    async def notify_all(self, orders):
        await asyncio.gather(*map(self.notify, orders))
