"""A locked method calls another one."""

import threading


class Account:
    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.balance = 0

    def deposit(self) -> None:
        with self._lock:
            self.balance += 1

    def deposit_twice(self) -> None:
        with self._lock:
            self.deposit()
            self.deposit()


setup = Account
WORKERS = [Account.deposit_twice, Account.deposit]
