import queue
import threading

jobs = queue.Queue()


def worker():
    while not jobs.empty():  # RH
        job = jobs.get()
        job()


def drain(given):
    while not given.empty():  # RH
        given.get()()


def main():
    mine = queue.Queue()
    for _ in range(4):
        threading.Thread(target=worker).start()
        threading.Thread(target=drain, args=(mine,)).start()
