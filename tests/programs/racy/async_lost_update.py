"""A balance is read before an await and written after it."""

import asyncio


class Account:
    def __init__(self) -> None:
        self.balance = 0

    async def deposit(self) -> None:
        balance = self.balance
        await asyncio.sleep(0.1)
        self.balance = balance + 1


setup = Account
WORKERS = [Account.deposit, Account.deposit]
