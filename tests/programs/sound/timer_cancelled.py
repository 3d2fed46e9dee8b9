"""A timer that was cancelled in time, or whose work is guarded."""

import threading


class Lease:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.held = True
        self.released_by: list[str] = []

    def _let_go(self, who: str) -> None:
        with self.lock:
            if self.held:
                self.held = False
                self.released_by.append(who)

    def use(self) -> None:
        timer = threading.Timer(5.0, self._let_go, args=("timer",))
        timer.start()
        self._let_go("user")
        timer.cancel()
        timer.join()


setup = Lease
WORKERS = [Lease.use]


def invariant(lease: Lease) -> bool:
    return len(lease.released_by) == 1
