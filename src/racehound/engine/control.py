"""The one place that hooks and primitives ask who is running.

Instrumented code is called from everywhere: from tasks under control, from the thread that sets a scenario
up, from threads nobody controls. All it has at hand is the identity of its thread, so the execution in
charge is a process-wide fact and lives here.
"""

from _thread import get_ident, get_native_id
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from racehound.engine.execution import Execution
    from racehound.engine.mirror import MirrorOf

NOBODY: Final = -1

FEW: Final = 2
LONGER: Final = 7
"""Turns more; an odd number, since what goes round often has two states."""


class Control:
    """Which execution is in charge, and on which thread its running task is."""

    __slots__ = (
        "beside",
        "callee",
        "contrary",
        "discover",
        "elders",
        "exact_pools",
        "excepthook",
        "execution",
        "fresh_carriers",
        "harness",
        "ident",
        "jobs",
        "lateness",
        "mirror_of",
        "now",
        "pool_names",
        "rounds",
        "serials",
        "site",
        "stand_ins",
        "thread_names",
        "waited",
    )

    def __init__(self) -> None:
        self.execution: Execution | None = None
        self.beside: Execution | None = None  # what is in charge again when the originals have done their work
        self.ident = NOBODY
        self.contrary = False  # what has no order of its own is taken the other way round
        self.lateness = 0.0  # seconds by which every wait for a time ends late
        self.rounds = FEW  # that a task in the background may have among others that waits in a loop
        self.waited = False  # somebody has waited for a time since this was reset
        self.site = 0  # of the call that the running task is making
        self.jobs: set[int] = set()  # the threads on which a job of a pool runs
        self.exact_pools = False  # it matters which worker of a pool does which job
        self.fresh_carriers = False  # something outlives executions that belongs to a thread
        self.callee: Callable[[int, object], object] | None = None  # makes a function publish what it does
        self.excepthook: object = None  # of `threading`, as it was before the program could set its own
        self.now: float | None = None  # what clocks show to the thread that sets scenarios up and judges them
        self.harness = NOBODY  # that thread
        self.count_names_anew()
        self.stand_ins: dict[object, object] = {}  # for functions that the program bound to names before
        self.elders: frozenset[int] = (
            frozenset()
        )  # native ids, which are not soon used again, of threads from before
        self.mirror_of: MirrorOf | None = None  # set while mirrors are installed
        self.discover: Callable[[object], None] | None = None  # told of functions that are not instrumented

    def patience(self, usual: int) -> int:
        """How many turns what never rests is granted: another number where the same is run to be compared."""
        return usual + LONGER if self.contrary else usual

    def count_names_anew(self) -> None:
        """Names of threads and pools count from the same number in every execution, its set-up included."""
        self.thread_names, self.pool_names, self.serials = count(1), count(), count()

    def sets_up(self) -> bool:
        """Whether the calling thread makes the state for an execution, or judges it."""
        return self.now is not None and get_ident() == self.harness

    def here(self) -> "Execution | None":
        """The execution in charge if the calling thread is its running task."""
        if get_ident() == self.ident:
            return self.execution
        if self.execution is not None:
            self.execution.notice_stranger()
        return None

    def in_charge(self) -> "Execution | None":
        """The same for primitives, which every thread of the process uses: older threads are no strangers."""
        if get_ident() == self.ident:
            return self.execution
        return None if get_native_id() in self.elders else self.here()

    @contextmanager
    def aside(self) -> "Iterator[None]":
        """Within this context the originals do their work, for which an operation stands that was published."""
        self.beside, self.execution = self.execution, None
        try:
            yield
        finally:
            self.beside, self.execution = None, self.beside

    def published(self, function: Any) -> Any:
        """A function that code of ours is about to call for the program."""
        return function if self.callee is None else self.callee(self.site, function)


CONTROL: Final = Control()
