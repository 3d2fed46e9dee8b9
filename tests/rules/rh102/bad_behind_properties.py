import threading
from concurrent.futures import ThreadPoolExecutor


class Account:
    def __init__(self, cents):
        self._cents = cents

    @property
    def balance(self):
        return self._cents

    @balance.setter
    def balance(self, cents):
        if cents < 0:
            raise ValueError("not enough money")
        self._cents = cents

    def deposit(self, cents):
        self.balance += cents  # RH


class Bank:
    def __init__(self):
        self.accounts: dict[str, Account] = {}
        self.opening = threading.Lock()
        self.pool = ThreadPoolExecutor()

    def open(self, owner):
        with self.opening:
            self.accounts[owner] = Account(0)

    def pay(self, owner, cents):
        account = self._account(owner)
        account.deposit(cents)

    def _account(self, owner):
        account = self.accounts.get(owner)
        if account is None:
            raise LookupError(owner)
        return account

    def pay_all(self, payments):
        return [self.pool.submit(self.pay, owner, cents) for owner, cents in payments]
