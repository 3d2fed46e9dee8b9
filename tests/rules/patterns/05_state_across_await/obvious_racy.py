import asyncio


class Account:
    def __init__(self):
        self.balance = 100

    async def withdraw(self, amount):
        if self.balance >= amount:
            await asyncio.sleep(0)
            self.balance -= amount  # RH


async def main():
    account = Account()
    await asyncio.gather(account.withdraw(80), account.withdraw(80))
