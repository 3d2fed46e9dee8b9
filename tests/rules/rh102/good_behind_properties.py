"""What the helper gives is made for each call."""

from concurrent.futures import ThreadPoolExecutor


class Account:
    def __init__(self, cents):
        self._cents = cents

    @property
    def balance(self):
        return self._cents

    @balance.setter
    def balance(self, cents):
        self._cents = cents

    def deposit(self, cents):
        self.balance += cents


class Bank:
    def __init__(self):
        self.pool = ThreadPoolExecutor()

    def pay(self, owner, cents):
        account = self._account(owner)
        account.deposit(cents)

    def _account(self, owner):
        account = Account(len(owner))
        return account

    def pay_all(self, payments):
        return [self.pool.submit(self.pay, owner, cents) for owner, cents in payments]
