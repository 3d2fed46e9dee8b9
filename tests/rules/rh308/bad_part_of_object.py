import asyncio
from concurrent.futures import ThreadPoolExecutor


class Throttle:
    def __init__(self):
        self.slots = asyncio.Semaphore(4)

    async def fetch(self, url):
        async with self.slots:  # RH
            return await download(url)


class Crawler:
    def __init__(self):
        self.throttle = Throttle()

    async def crawl(self, urls):
        return await asyncio.gather(*(self.throttle.fetch(url) for url in urls))

    def run(self, roots):
        pages = asyncio.run(self.crawl(roots))
        return asyncio.run(self.crawl(links(pages)))


class Bus:
    def __init__(self):
        self.turn = asyncio.Lock()

    async def publish(self, message):
        async with self.turn:  # RH
            await send(message)


class Shop:
    def __init__(self, bus):
        self.bus = bus

    async def order(self, item):
        await self.bus.publish(item)


BUS = Bus()


async def order_all(items):
    shop = Shop(BUS)
    await asyncio.gather(*(shop.order(item) for item in items))


def handle(items):
    asyncio.run(order_all(items))


def serve(requests):
    with ThreadPoolExecutor() as pool:
        list(pool.map(handle, requests))
