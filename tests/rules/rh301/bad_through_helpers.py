import asyncio


class Notifier:
    def __init__(self, gateway):
        self.gateway = gateway
        self.order = None

    def _subject(self):
        return f"Order {self.order['id']}"

    async def notify(self, order):
        self.order = order
        address = await self.gateway.address(order)
        await self.gateway.send(address, self._subject())  # RH

    async def notify_all(self, orders):
        await asyncio.gather(*map(self.notify, orders))


class Job:
    def __init__(self, store):
        self.store = store
        self.tenant = None

    async def record(self, total):
        await self.store.insert(self.tenant, total)


class Invoices(Job):
    async def run(self, tenant):
        self.tenant = tenant
        total = await self.store.total(tenant)
        await self.record(total)  # RH


class Jobs:
    def __init__(self, store):
        self.job = Invoices(store)

    async def nightly(self, tenants):
        async with asyncio.TaskGroup() as group:
            for tenant in tenants:
                group.create_task(self.job.run(tenant))


class Frontier:
    def __init__(self):
        self.url = ""


class Crawler:
    def __init__(self, session):
        self.session = session
        self.frontier = Frontier()

    async def visit(self, url):
        frontier = self.frontier
        frontier.url = url
        page = await self.session.get(url)
        print(frontier.url, page)  # RH

    async def crawl(self, urls):
        await asyncio.gather(*(self.visit(url) for url in urls))
