from threading import Lock, Thread

hits, guard = 0, Lock()


class Account:
    def __init__(self):
        self.left = 5


accounts = {"a": Account()}


def count():
    global hits
    with guard:
        hits += 1
        if hits > 5:
            raise SystemExit


def spend(name, amount):
    with guard:
        account = accounts[name]
        account.left = account.left - amount
        return account.left


def try_out(amount):
    account = Account()
    account.left = account.left - amount
    return account.left


for _ in range(2):
    Thread(target=count).start()
    Thread(target=spend, args=("a", 2)).start()
    Thread(target=try_out, args=(2,)).start()
