"""A set of what is still to be answered, filled after the question is out."""

import threading


class Subscriber:
    def __init__(self, connection):
        self.connection = connection
        self.pending = set()
        threading.Thread(target=self.run, daemon=True).start()

    def leave(self, *channels):
        self.execute("LEAVE", *channels)
        self.pending.update(channels)  # RH

    def leave_one(self, channel):
        self.execute("LEAVE", channel)
        self.pending.add(channel)  # RH

    def execute(self, *words):
        self.connection.send(words)

    def run(self):
        while True:
            channel = self.connection.receive()
            if channel in self.pending:
                self.pending.discard(channel)
