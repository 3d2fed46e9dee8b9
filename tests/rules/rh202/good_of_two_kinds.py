from threading import Lock


class Warehouse:
    def __init__(self):
        self.lock = Lock()
        self.stock = {}


class Journal:
    def __init__(self):
        self.lock = Lock()
        self.entries = []

    def compact(self, warehouse: "Warehouse"):
        with warehouse.lock, self.lock:
            self.entries = list(warehouse.stock.items())


class Bank:
    def __init__(self):
        self.accounts = {}

    def transfer(self, source, target):
        names = sorted((source, target))
        one, other = self.accounts[names[0]], self.accounts[names[1]]
        with one.lock, other.lock:
            one.balance, other.balance = other.balance, one.balance
