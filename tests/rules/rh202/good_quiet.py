import threading


class Node:
    def __init__(self, number):
        self.number = number
        self._lock = threading.Lock()
        self._log_lock = threading.Lock()
        self._items = []

    def merge(self, peer: "Node"):
        items = peer.items()
        with self._lock:
            self._items.extend(items)

    def items(self):
        with self._lock:
            return list(self._items)

    def swap(self, peer: "Node"):
        first, second = (self, peer) if self.number < peer.number else (peer, self)
        with first._lock:
            with second._lock:
                pass

    def log(self, peer: "Node"):
        with self._lock:
            with peer._log_lock:
                pass

    def count(self, peer: "Node"):
        with self._lock:
            return peer.size()

    def size(self):
        return len(self._items)


def transfer(source, target):
    with source.lock:
        with target.lock:
            pass


_transfers = threading.Lock()


class Purse:
    def __init__(self):
        self.lock = threading.Lock()
        self.coins = 0


class Bank:
    def __init__(self):
        self.turn = threading.Lock()

    def swap(self, one: Purse, other: Purse):
        with self.turn:
            with one.lock, other.lock:
                one.coins, other.coins = other.coins, one.coins


def move(source: Purse, target: Purse):
    with _transfers:
        with source.lock:
            with target.lock:
                target.coins += source.coins
