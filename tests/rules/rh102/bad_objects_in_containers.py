import threading
from collections import defaultdict


class Counter:
    def __init__(self, name):
        self.name = name
        self.made = 0

    def work(self):
        self.made += 1  # RH


class Crew:
    def __init__(self, size):
        self.workers = [Counter(str(number)) for number in range(size)]

    def start(self):
        for worker in self.workers:
            for _ in range(2):
                threading.Thread(target=worker.work).start()


class Invoice:
    def __init__(self):
        self.paid = 0

    def pay(self):
        self.paid += 1  # RH


def pay_all(invoices: list[Invoice]):
    for number, invoice in enumerate(invoices):
        for _ in range(number):
            threading.Thread(target=invoice.pay).start()


class Shard:
    def __init__(self):
        self.hits = 0

    def touch(self):
        self.hits += 1  # RH


class Shards:
    def __init__(self):
        self.by_name: dict[str, Shard] = {}

    def sweep(self):
        for shard in list(self.by_name.values()):
            shard.touch()

    def start(self):
        for _ in range(3):
            threading.Thread(target=self.sweep).start()


class Member:
    def __init__(self):
        self.heard = 0

    def hear(self):
        self.heard += 1  # RH


class Guest:
    def __init__(self):
        self.seen = 0

    def see(self):
        self.seen += 1  # RH


class Hall:
    def __init__(self):
        self._members = []
        self._guests = {}
        self._staff = defaultdict(Member)

    def join(self, name):
        self._members.append(Member())
        self._guests[name] = Guest()

    def tell(self):
        members = self._members.copy()
        for member in members:
            member.hear()
        for _, guest in self._guests.items():
            guest.see()

    def open(self):
        for _ in range(3):
            threading.Thread(target=self.tell).start()


class Desk:
    def __init__(self):
        self.calls = 0

    def ring(self):
        self.calls += 1  # RH


DESKS = {number: Desk() for number in range(4)}


def ring(number):
    DESKS[number].ring()
    DESKS.get(number).ring()


for each in range(4):
    threading.Thread(target=ring, args=(each,)).start()
