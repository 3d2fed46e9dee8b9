"""What was written before an event is set is there for whoever waited for it."""

import threading


class Handshake:
    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer = 0

    def produce(self) -> None:
        self.answer = 42
        self.done.set()

    def consume(self) -> int:
        self.done.wait()
        return self.answer


setup = Handshake
WORKERS = [Handshake.produce, Handshake.consume, Handshake.consume]
