"""Updates are lost beside a thread in the background that counts its own rounds, for ever."""

import threading
import time


class Counter:
    def __init__(self) -> None:
        self.value = 0
        self.rounds = 0
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while True:
            time.sleep(5)
            self.rounds += 1

    def increment(self) -> None:
        self.value += 1


setup = Counter
WORKERS = [Counter.increment, Counter.increment]
