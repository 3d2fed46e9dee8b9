import asyncio


class Budget:
    def __init__(self):
        self.left = 10


budget = Budget()


async def spend(client, request):
    if budget.left > 0:
        await client.post(request)
        budget.left -= 1  # RH


async def main(client, requests):
    await asyncio.gather(*[spend(client, request) for request in requests])
