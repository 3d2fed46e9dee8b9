import asyncio


class Ledger:
    def __init__(self, database):
        self.database = database
        self.balance = {}

    async def withdraw(self, account, amount):
        if self.balance[account] >= amount:
            await self.database.record(account, amount)
            self.balance[account] -= amount  # RH


async def main(database, orders):
    ledger = Ledger(database)
    await asyncio.gather(*(ledger.withdraw(account, 5) for account in orders))
