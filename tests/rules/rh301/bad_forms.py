import asyncio


class Session:
    async def _log(self):
        await asyncio.sleep(0)
        print(self.user)


class Handler(Session):
    def __init__(self):
        self.user = None
        self.total = 0
        self.tasks = set()

    async def handle(self, request):
        self.user = request.user
        await self._log()
        return self.user  # RH

    async def add(self, amount):
        before = self.total
        await self._log()
        self.total = before + amount  # RH

    def on_request(self, request):
        self.tasks.add(asyncio.create_task(self.handle(request)))
        task = asyncio.create_task(self.add(1))
        self.tasks.add(task)


class Scraper:
    def __init__(self):
        self.url = ""

    async def fetch(self, url):
        self.url = f"https://{url}"
        self.url = normalise(url)
        async with connection() as page:
            return await page.get(self.url)  # RH


async def main(urls):
    scraper = Scraper()
    coroutines = [scraper.fetch(url) for url in urls]
    await asyncio.gather(*coroutines)


CURRENT = None


async def serve(reader, writer):
    global CURRENT
    CURRENT = reader
    await writer.drain()
    process(CURRENT)  # RH


async def start():
    await asyncio.start_server(serve, "localhost", 0)
