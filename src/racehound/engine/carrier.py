"""OS threads that carry tasks, kept between executions.

Starting a thread costs more than a whole small execution, so carriers are pooled. A carrier sleeps on its
baton, a lock that is held while the carrier must not run; control moves by releasing the baton of the next.
"""

import _thread
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import Context

_start_new_thread = _thread.start_new_thread  # kept before a mirror takes its place


class Baton:
    """A place to wait until somebody says go; works with the real lock whatever is patched."""

    __slots__ = ("go", "wait")

    def __init__(self) -> None:
        lock = _thread.allocate_lock()
        lock.acquire()
        self.wait: Callable[..., bool] = lock.acquire
        self.go: Callable[[], object] = lock.release


class CarrierThread(threading.Thread):
    """How a carrier appears to the code that it runs."""

    def __init__(self, name: str, ident: int) -> None:
        super().__init__(name=name, daemon=False)
        self._started._flag = True  # type: ignore[attr-defined]  # noqa: SLF001 - by other means than `start`
        self._ident = ident

    def is_alive(self) -> bool:
        return True


class Carrier:
    """A thread of its own making: `threading` may be full of stand-ins by the time it is started."""

    def __init__(self, name: str) -> None:
        self.baton = Baton()
        self.native_id = 0
        self._job: Callable[[], None] | None = None
        self.ident = _start_new_thread(self._serve, ())
        """The thread identity by which hooks recognise the running task."""
        self.thread = CarrierThread(name, self.ident)
        """What `threading.current_thread` answers on this carrier, as long as its task is not a Thread itself."""
        self.appear_as(self.thread)

    def appear_as(self, thread: threading.Thread) -> None:
        """Say who `threading.current_thread` is on this carrier."""
        threading._active[self.ident] = thread  # type: ignore[attr-defined]  # noqa: SLF001 - the register of threads

    def vanish(self) -> None:
        """Nobody asks any more."""
        threading._active.pop(self.ident, None)  # type: ignore[attr-defined]  # noqa: SLF001 - the register of threads

    def assign(self, job: Callable[[], None] | None) -> None:
        """Give the job to run at the next go; None ends the thread."""
        self._job = job

    def _serve(self) -> None:
        self.native_id = _thread.get_native_id()
        sys.settrace(threading.gettrace())  # as `threading` does for the threads that it starts
        self._run_jobs()

    def _run_jobs(self) -> None:
        wait = self.baton.wait
        while True:
            wait()
            job = self._job
            if job is None:
                return
            Context().run(job)  # a thread of its own begins without what an earlier task has set
            if self._job is None:
                return  # closed while it was left to itself


class CarrierPool:
    def __init__(self) -> None:
        self._carriers: list[Carrier] = []

    def get(self, index: int) -> Carrier:
        """The carrier of the task with that number."""
        while len(self._carriers) <= index:
            self._carriers.append(Carrier(f"Task-{len(self._carriers)}"))
        return self._carriers[index]

    def native_ids(self) -> Iterator[int]:
        """The threads as the system knows them, but for those that have not begun yet."""
        return (carrier.native_id for carrier in self._carriers if carrier.native_id)

    def close(self) -> None:
        """End all threads; none of them is running a task by now."""
        for carrier in self._carriers:
            carrier.assign(None)
            carrier.vanish()
            carrier.baton.go()
        self._carriers.clear()
