"""A thread in the background looks at a count from time to time, for ever."""

import threading
import time


class Counter:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.value = 0
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while True:
            time.sleep(5)
            with self.lock:
                _ = self.value

    def increment(self) -> None:
        with self.lock:
            self.value += 1


setup = Counter
WORKERS = [Counter.increment, Counter.increment]
