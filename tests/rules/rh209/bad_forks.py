import os
import pty
import threading


class Reporter(threading.Thread):
    def run(self):
        print("report")


def with_local():
    thread = threading.Thread(target=print)
    thread.start()
    return os.fork()  # RH


class Server:
    def __init__(self):
        self._thread = threading.Thread(target=print)

    def serve(self):
        self._thread.start()
        for _ in range(3):
            pty.fork()  # RH
