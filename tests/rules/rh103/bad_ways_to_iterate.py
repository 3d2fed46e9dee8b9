import threading
from collections import OrderedDict


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self.rows = OrderedDict()
        self.tags: set[str] = set()

    def put(self, key, row):
        with self._lock:
            self.rows[key] = row

    def _tag(self, tag):
        self.tags.add(tag)

    def tag(self, tag):
        with self._lock:
            self._tag(tag)


class Derived(Base):
    def total(self):
        return sum(row.size for row in self.rows.values())  # RH

    def alias(self):
        rows = self.rows
        for key in rows:  # RH
            print(key)

    def all_tags(self):
        return {tag.lower() for tag in self.tags}  # RH


CLIENTS = {}


def serve(name):
    CLIENTS[name] = 1


def broadcast():
    for client in CLIENTS:  # RH
        print(client)


def main():
    for number in range(3):
        threading.Thread(target=serve, args=(number,)).start()
    threading.Thread(target=broadcast).start()
