"""The value is written before the event is set and read after it was waited for."""

import threading


class Mailbox:
    def __init__(self) -> None:
        self._delivered = threading.Event()
        self.letter = ""

    def send(self) -> None:
        self.letter = "hello"
        self._delivered.set()

    def receive(self) -> str:
        self._delivered.wait()
        return self.letter


setup = Mailbox
WORKERS = [Mailbox.receive, Mailbox.send]
