"""Set before the thread is started, or there since the object was made."""

import threading


class Server:
    def __init__(self):
        self.count = 0

    def start(self):
        self.socket = listen()
        thread = threading.Thread(target=self.loop, daemon=True)
        thread.start()
        self.count = 1

    def loop(self):
        while self.count < 3:
            self.socket.accept()


def listen():
    return object()
