"""The same under a lock of asyncio."""

import asyncio


class Account:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.balance = 0

    async def deposit(self) -> None:
        async with self.lock:
            balance = self.balance
            await asyncio.sleep(0.1)
            self.balance = balance + 1


setup = Account
WORKERS = [Account.deposit, Account.deposit, Account.deposit]
