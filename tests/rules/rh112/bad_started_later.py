"""Not the constructor starts the thread, and yet something that it needs comes later."""

import threading


class Server:
    def start(self):
        thread = threading.Thread(target=self.loop, daemon=True)
        thread.start()
        self.socket = listen()  # RH

    def loop(self):
        while True:
            self.socket.accept()


def listen():
    return object()
