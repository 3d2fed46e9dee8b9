import threading
from threading import RLock


class Counter:
    def __init__(self):
        self.value = 0

    def add(self):
        with RLock():  # RH
            self.value += 1

    def local(self):
        lock = threading.Lock()
        with lock:  # RH
            self.value += 1

    def by_hand(self):
        lock = threading.Lock()
        lock.acquire()  # RH
        self.value += 1
        lock.release()


FIRST = threading.Lock()
SECOND = threading.Lock()
TABLE = {}


def put(key):
    with FIRST:
        TABLE[key] = 1  # RH


def drop(key):
    with SECOND:
        TABLE.pop(key, None)


def main():
    for key in range(3):
        threading.Thread(target=put, args=(key,)).start()
        threading.Thread(target=drop, args=(key,)).start()
