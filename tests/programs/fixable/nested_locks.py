"""Two ledgers, each with a lock, which are taken in two orders."""

import threading


class Bank:
    """Two ledgers, each with a lock."""

    def __init__(self):
        self._cash_lock = threading.Lock()
        self._debt_lock = threading.Lock()
        self.cash = 10
        self.debt = 10

    def repay(self, amount):
        with self._cash_lock:  # the cash first
            with self._debt_lock:
                self.cash -= amount
                self.debt -= amount

    def borrow(self, amount):
        with self._debt_lock:
            # and here the debt
            with self._cash_lock:
                self.debt += amount
                self.cash += amount


def check():
    bank = Bank()
    bank.repay(3)
    bank.borrow(1)
    assert (bank.cash, bank.debt) == (8, 8)
