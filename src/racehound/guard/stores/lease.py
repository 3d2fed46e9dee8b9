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


_LONGEST_LOOK_SECONDS = 0.3  # a lock that was handed over lasts for a short time at first


class LeaseKeeper:
    """Renews the leases of a store from one thread, each when a third of the lease time is over.

    The thread ends when there was nothing to renew for a while. It is not woken for a new lease,
    which would cost more than the lock itself: a lease is young for longer than the thread sleeps.
    """

    def __init__(self, renew: Callable[[Lease], bool | None], seconds: float) -> None:
        self._renew = renew  # None: the server could not be asked
        self._seconds = seconds
        self._look_seconds = min(seconds / 6, _LONGEST_LOOK_SECONDS)
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
                thread = threading.Thread(target=self._run, name="renews leases", daemon=True)
                thread.start()
                self._thread = thread

    def remove(self, lease: Lease) -> None:
        with self._mutex:
            self._leases.discard(lease)

    def close(self) -> None:
        self._closing.set()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        needed = time.monotonic()
        while not self._closing.wait(self._look_seconds):
            now = time.monotonic()
            leases = self._known(may_end=now > needed + self._seconds)
            if leases is None:
                return
            if leases:
                needed = now
            for lease in leases:
                if lease.until - now < self._seconds * 2 / 3:
                    self._keep(lease)

    def _known(self, *, may_end: bool) -> list[Lease] | None:
        """None if there is nothing left to do for the thread."""
        with self._mutex:
            if may_end and not self._leases:
                self._thread = None
                return None
            return list(self._leases)

    def _keep(self, lease: Lease) -> None:
        asked = time.monotonic()
        answer = self._renew(lease)
        if answer:
            lease.until = asked + self._seconds
        elif answer is not None:
            lease.is_lost = True
