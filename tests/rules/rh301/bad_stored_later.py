import asyncio

TOTALS = {"bytes": 0}
SENT = 0


def note_sent(value):
    global SENT
    SENT = value


class Meter:
    def __init__(self):
        self.level = 0

    def write(self, value):
        self.level = value


class Account:
    def __init__(self):
        self._balance = 0

    @property
    def balance(self):
        return self._balance

    def known(self):
        return self._balance

    def set_balance(self, value):
        self._balance = value


def put(meter, value):
    meter.level = value


class Service(Meter):
    def __init__(self, source):
        super().__init__()
        self.source = source
        self.account = Account()
        self.last = 0
        self.stock = {}

    def _put(self, name, number):
        self.stock[name] = number

    async def by_item(self, sku):
        have = self.stock.get(sku, 0)
        more = await self.source.read()
        self._put(sku, have + more)  # RH

    async def by_base(self):
        level = self.level
        delta = await self.source.read()
        self.write(level + delta)  # RH

    async def by_super(self):
        level = self.level
        delta = await self.source.read()
        super().write(value=level + delta)  # RH

    async def by_function(self):
        level = self.level
        delta = await self.source.read()
        return put(self, level - delta)  # RH

    async def by_setter(self, amount):
        balance = self.account.balance
        await self.source.read()
        self.account.set_balance(balance + amount)  # RH

    async def by_getter(self, amount):
        balance = self.account.known()
        await self.source.read()
        self.account.set_balance(balance + amount)  # RH

    async def by_name(self):
        number = self.last + 1
        await self.source.reserve(number)
        setattr(self, "last", number)  # RH


async def count(source):
    size = TOTALS["bytes"]
    extra = await source.read()
    TOTALS.update(bytes=size + extra)  # RH


async def send(source):
    sent = SENT
    extra = await source.read()
    note_sent(sent + extra)  # RH


async def main(source):
    service = Service(source)
    for _ in range(2):
        asyncio.create_task(service.by_base())
        asyncio.create_task(service.by_super())
        asyncio.create_task(service.by_function())
        asyncio.create_task(service.by_setter(1))
        asyncio.create_task(service.by_getter(1))
        asyncio.create_task(service.by_name())
        asyncio.create_task(service.by_item("nail"))
        asyncio.create_task(count(source))
        asyncio.create_task(send(source))
