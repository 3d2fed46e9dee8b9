import threading


class Node:
    def __init__(self):
        self._lock = threading.Lock()
        self._items = []

    def merge(self, peer: "Node"):
        with self._lock:
            self._items.extend(peer.items())  # RH

    def items(self):
        with self._lock:
            return list(self._items)


class Leaf(Node):
    def swap(self, peer: "Leaf"):
        self._lock.acquire()
        peer._lock.acquire()  # RH
        peer._lock.release()
        self._lock.release()


def transfer(source: Node, target: Node):
    with source._lock:
        with target._lock:  # RH
            pass
