import asyncio


class Pages:
    def __init__(self):
        self.user = None

    def text(self):
        return f"hello {self.user}"

    async def show(self, request):
        await self.note()
        self.user = request.user
        return self.text()

    async def main(self, requests):
        await asyncio.gather(*(self.show(request) for request in requests))
