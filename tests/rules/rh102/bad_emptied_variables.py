"""Variables of a module that are handed on and then emptied, while others add to them."""

import threading
from concurrent.futures import ThreadPoolExecutor

EVENTS = []
ROWS = []


def note(event):
    EVENTS.append(event)


def flush():
    send(EVENTS)
    EVENTS.clear()  # RH


def add(row):
    ROWS.append(row)


def store():
    global ROWS
    send(ROWS)
    ROWS = []  # RH


def send(items):
    print(items)


def main(rows):
    threading.Thread(target=flush).start()
    threading.Thread(target=store).start()
    with ThreadPoolExecutor() as pool:
        for row in rows:
            pool.submit(note, row)
            pool.submit(add, row)
