"""The value is read before the lock is taken and written under it."""

import threading


class Balance:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.amount = 0

    def deposit(self) -> None:
        before = self.amount
        with self._lock:
            self.amount = before + 1


setup = Balance
WORKERS = [Balance.deposit, Balance.deposit, Balance.deposit]
