"""The event is cleared after it may have been set for the next round."""

import threading


class Signal:
    def __init__(self) -> None:
        self.event = threading.Event()

    def announce(self) -> None:
        self.event.set()

    def wait_for_news(self) -> str:
        self.event.clear()
        self.event.wait()
        return "news"


setup = Signal
WORKERS = [Signal.announce, Signal.wait_for_news]


def invariant(signal: Signal) -> bool:
    return True
