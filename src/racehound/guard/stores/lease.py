"""A lock that ends by itself unless its holder shows signs of life."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Lease:
    prefix: str
    owner: str
    token: int
    until: float  # on the clock of this process, counted from before the server was asked
    is_lost: bool = False

    def is_valid(self) -> bool:
        # The clock goes on while the process is stopped: after SIGCONT this is the first to know.
        return not self.is_lost and time.monotonic() < self.until


class LeaseKeeper:
    """Renews all leases of a store from one thread, three times per lease time.

    The thread ends when there was nothing to renew for a while. It is not woken for a new lease,
    which would cost more than the lock itself: a lease is young for longer than the thread sleeps.
    """

    def __init__(self, renew: Callable[[Lease], bool | None], seconds: float) -> None:
        self._renew = renew  # None: the server could not be asked
        self._seconds = seconds
        self.forget_parent()

    def forget_parent(self) -> None:
        """In a forked child neither the thread nor the leases exist."""
        self._mutex = threading.Lock()
        self._leases: set[Lease] = set()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    def add(self, lease: Lease) -> None:
        with self._mutex:
            self._leases.add(lease)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="renews leases", daemon=True)
                self._thread.start()

    def remove(self, lease: Lease) -> None:
        with self._mutex:
            self._leases.discard(lease)

    def close(self) -> None:
        self._closing.set()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while not self._closing.wait(self._seconds / 3):
            leases = self._due()
            if not leases:
                return
            for lease in leases:
                self._keep(lease)

    def _due(self) -> list[Lease]:
        with self._mutex:
            if not self._leases:
                self._thread = None
            return list(self._leases)

    def _keep(self, lease: Lease) -> None:
        asked = time.monotonic()
        answer = self._renew(lease)
        if answer:
            lease.until = asked + self._seconds
        elif answer is not None:
            lease.is_lost = True
