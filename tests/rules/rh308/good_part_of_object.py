import asyncio


class Throttle:
    def __init__(self):
        self.slots = asyncio.Semaphore(4)

    async def fetch(self, url):
        async with self.slots:
            return await download(url)


class Crawler:
    """The parts that it works with are made for each loop."""

    async def crawl(self, urls):
        throttle = Throttle()
        return await asyncio.gather(*(throttle.fetch(url) for url in urls))

    def run(self, roots):
        pages = asyncio.run(self.crawl(roots))
        return asyncio.run(self.crawl(links(pages)))


class Once:
    """Only the second of the loops comes to it."""

    def __init__(self):
        self.turn = asyncio.Lock()

    async def prepare(self):
        await asyncio.sleep(1)

    async def work(self):
        async with self.turn:
            await asyncio.sleep(1)

    def run(self):
        asyncio.run(self.prepare())
        asyncio.run(self.work())
