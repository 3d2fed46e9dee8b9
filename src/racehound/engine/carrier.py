"""OS threads that carry tasks, kept between executions.

Starting a thread costs more than a whole small execution, so carriers are pooled. A carrier sleeps on its
baton, a lock that is held while the carrier must not run; control moves by releasing the baton of the next.
"""

import threading
from _thread import allocate_lock
from collections.abc import Callable
from typing import cast


class Baton:
    """A place to wait until somebody says go; works with the real lock whatever is patched."""

    __slots__ = ("go", "wait")

    def __init__(self) -> None:
        lock = allocate_lock()
        lock.acquire()
        self.wait: Callable[[], object] = lock.acquire
        self.go: Callable[[], object] = lock.release


class Carrier:
    def __init__(self) -> None:
        self.baton = Baton()
        self._job: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._serve, name="racehound-carrier", daemon=True)
        self._thread.start()
        self.ident = cast("int", self._thread.ident)  # by which hooks recognise the running task

    def assign(self, job: Callable[[], None] | None) -> None:
        """Give the job to run at the next go; None ends the thread."""
        self._job = job

    def _serve(self) -> None:
        while True:
            self.baton.wait()
            job = self._job
            if job is None:
                return
            job()


class CarrierPool:
    def __init__(self) -> None:
        self._carriers: list[Carrier] = []

    def get(self, index: int) -> Carrier:
        """The carrier of the task with that number."""
        while len(self._carriers) <= index:
            self._carriers.append(Carrier())
        return self._carriers[index]

    def close(self) -> None:
        """End all threads; none of them is running a task by now."""
        for carrier in self._carriers:
            carrier.assign(None)
            carrier.baton.go()
        self._carriers.clear()
