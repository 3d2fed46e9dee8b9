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
