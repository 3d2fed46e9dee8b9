"""A lock that stays held where the function returns early."""

import threading

lock = threading.Lock()
items = []


def push(value):
    lock.acquire()
    if value is None:
        return False
    items.append(value)
    lock.release()
    return True


def check():
    assert push(1) is True
    assert items == [1]
