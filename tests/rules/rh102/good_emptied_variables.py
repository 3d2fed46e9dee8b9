"""The variable is swapped before it is handed on, both are done under a lock, or nobody else is there."""

import threading
from concurrent.futures import ThreadPoolExecutor

LOCK = threading.Lock()
EVENTS = []
ROWS = []
LINES = []


def note(event):
    EVENTS.append(event)


def flush():
    global EVENTS
    events, EVENTS = EVENTS, []
    send(events)


def add(row):
    with LOCK:
        ROWS.append(row)


def store():
    with LOCK:
        send(ROWS)
        ROWS.clear()


def read(path):
    LINES.append(path)


def show():
    send(LINES)
    LINES.clear()


def send(items):
    print(items)


def main(rows):
    threading.Thread(target=flush).start()
    threading.Thread(target=store).start()
    with ThreadPoolExecutor() as pool:
        for row in rows:
            pool.submit(note, row)
            pool.submit(add, row)
    read(rows)
    show()
