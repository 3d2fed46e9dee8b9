"""Two accounts, two directions, locks always taken in the order of the names."""

import threading


class Bank:
    def __init__(self) -> None:
        self.locks = {"a": threading.Lock(), "b": threading.Lock()}
        self.balance = {"a": 10, "b": 10}

    def transfer(self, source: str, target: str) -> None:
        first, second = sorted((source, target))
        with self.locks[first], self.locks[second]:
            self.balance[source] -= 1
            self.balance[target] += 1


setup = Bank
WORKERS = [lambda bank: bank.transfer("a", "b"), lambda bank: bank.transfer("b", "a")]
