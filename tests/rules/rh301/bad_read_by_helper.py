import asyncio


class Pages:
    def __init__(self):
        self.user = None

    def text(self):
        return f"hello {self.user}"

    async def show(self, request):
        self.user = request.user
        await self.note()
        return self.text()  # RH

    async def main(self, requests):
        await asyncio.gather(*(self.show(request) for request in requests))
