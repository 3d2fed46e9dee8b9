import asyncio


class Account:
    def __init__(self):
        self.balance = 100
        self.lock = asyncio.Lock()

    async def withdraw(self, amount):
        async with self.lock:
            if self.balance >= amount:
                await asyncio.sleep(0)
                self.balance -= amount


async def main():
    account = Account()
    await asyncio.gather(account.withdraw(80), account.withdraw(80))
