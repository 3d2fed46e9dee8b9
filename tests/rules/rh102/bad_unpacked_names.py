from threading import Thread

hits, misses = 0, 0
first, *rest = [3, 4, 5]


class Account:
    def __init__(self):
        self.left = 5


accounts = {"a": Account()}


def count(found):
    global hits, misses
    if found:
        hits += 1  # RH
    else:
        misses += 1  # RH
    if hits > misses:
        raise SystemExit


def spend(name, amount):
    account = accounts[name]
    account.left = account.left - amount  # RH
    return account.left


for _ in range(2):
    Thread(target=count, args=(True,)).start()
    Thread(target=spend, args=("a", 2)).start()
