import threading
from contextlib import contextmanager


class Account:
    def __init__(self, number):
        self.number = number
        self.balance = 0
        self.lock = threading.Lock()


@contextmanager
def both(source, target):
    with source.lock:
        with target.lock:  # RH
            yield


def transfer(source, target, amount):
    with both(source, target):
        if source.balance < amount:
            raise ValueError(source.number)
        source.balance -= amount
        target.balance += amount


def settle(orders):
    accounts = [Account(number) for number in range(10)]
    for source, target, amount in orders:
        transfer(accounts[source], accounts[target], amount)
