"""Noted first; and a set that says nothing of answers."""

import threading


class Subscriber:
    def __init__(self, connection):
        self.connection = connection
        self.pending = set()
        self.left = set()
        threading.Thread(target=self.run, daemon=True).start()

    def leave(self, *channels):
        self.pending.update(channels)
        self.execute("LEAVE", *channels)
        self.left.update(channels)

    def execute(self, *words):
        self.connection.send(words)

    def run(self):
        while True:
            channel = self.connection.receive()
            if channel in self.pending and channel not in self.left:
                self.pending.discard(channel)
