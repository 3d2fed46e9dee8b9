import queue


class Shipper:
    def __init__(self, transport):
        self.transport = transport
        self.lines = queue.Queue()

    async def ship(self):
        take = self.lines.get
        while True:
            await self.transport.send(take())  # RH
