import asyncio
import threading

slots = asyncio.Semaphore(4)


class Geocoder:
    def __init__(self, base):
        self.base = base

    async def find(self, address):
        async with slots:  # RH
            await asyncio.sleep(1)

    async def find_all(self, addresses):
        return await asyncio.gather(*(self.find(address) for address in addresses))


def process(addresses, base):
    return asyncio.run(Geocoder(base).find_all(addresses))


def main(parts):
    for part in parts:
        threading.Thread(target=process, args=(part, "here")).start()
