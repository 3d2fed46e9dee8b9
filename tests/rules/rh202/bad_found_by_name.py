from threading import Lock


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.lock = Lock()


class Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, name):
        self.accounts[name] = Account(10)

    def transfer(self, source, target, amount):
        one = self.accounts[source]
        other = self.accounts.get(target)
        with one.lock:
            with other.lock:  # RH
                one.balance -= amount
                other.balance += amount

    def swap(self, source, target):
        one, other = self.accounts[source], self.accounts[target]
        with one.lock, other.lock:  # RH
            one.balance, other.balance = other.balance, one.balance
