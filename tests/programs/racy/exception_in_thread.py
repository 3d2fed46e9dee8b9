"""Two threads of a method check and then remove; the slower one dies of it, and nobody hears."""

import threading


class Sessions:
    def __init__(self) -> None:
        self.open = {"a": 1}

    def _close(self) -> None:
        if "a" in self.open:
            del self.open["a"]

    def close_from_both_sides(self) -> None:
        threads = [threading.Thread(target=self._close) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


setup = Sessions
WORKERS = [Sessions.close_from_both_sides]
