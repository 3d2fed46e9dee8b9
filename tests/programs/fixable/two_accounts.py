"""Two objects of one class, locked in the order in which they are given."""

import threading


class Account:
    def __init__(self, balance=10):
        self.lock = threading.Lock()
        self.balance = balance

    def transfer(self, other: "Account", amount: int):
        with self.lock:
            with other.lock:
                self.balance -= amount
                other.balance += amount


def check():
    a, b = Account(5), Account(1)
    a.transfer(b, 2)
    assert (a.balance, b.balance) == (3, 3)
    b.transfer(a, 1)
    assert (a.balance, b.balance) == (4, 2)
