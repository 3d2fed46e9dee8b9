"""Drives a circuit breaker, ours or another, through the situations in which breakers go wrong.

Behave steps, pytest tests and the benchmark share it. A `Subject` is one circuit behind the smallest interface
that every library can be given; a case puts it into a situation and says what happened.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from racehound.guard import CircuitBreaker, CircuitOpen, Window

T = TypeVar("T")
PATIENCE = 30.0  # no thread of a case ever waits that long unless something is broken
MANY = 1_000_000


class Refused(Exception):
    """The circuit did not admit the call."""


class Broken(Exception):
    """What a failing backend raises."""


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class Subject(Protocol):
    def call(self, function: Callable[[], T]) -> T:
        """Make a guarded call; raises `Refused` where the circuit does not admit it."""

    async def acall(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The same for a coroutine function."""

    def failures(self) -> int: ...
    def is_closed(self) -> bool: ...

    def cool_down(self) -> None:
        """Let the open time pass."""

    def with_window(self, calls: int) -> "Subject":
        """A fresh one that judges the rate of failures over the last calls."""

    def noted(self) -> int:
        """How many calls its window holds."""


MakeSubject = Callable[[int], Subject]


class OurCircuit:
    """One circuit of racehound's own breaker."""

    def __init__(self, breaker: CircuitBreaker, clock: Clock, name: str = "backend") -> None:
        self.breaker = breaker
        self.clock = clock
        self.name = name

    def call(self, function: Callable[[], T]) -> T:
        try:
            return self.breaker.guard(self.name)(function)()
        except CircuitOpen as error:
            raise Refused from error

    async def acall(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            return await self.breaker.guard(self.name)(function)()
        except CircuitOpen as error:
            raise Refused from error

    def failures(self) -> int:
        return self.breaker.failures(self.name)

    def is_closed(self) -> bool:
        return self.breaker.snapshot(self.name).state == "closed"

    def cool_down(self) -> None:
        self.clock.advance(self.breaker.settings.open_seconds)

    def with_window(self, calls: int) -> "OurCircuit":
        window = Window(calls=calls, minimum_calls=calls, failure_rate=1.0)
        return OurCircuit(CircuitBreaker(window=window, clock=self.clock), self.clock)

    def noted(self) -> int:
        return self.breaker.snapshot(self.name).calls_in_window


def ours(threshold: int) -> OurCircuit:
    clock = Clock()
    return OurCircuit(CircuitBreaker(threshold, clock=clock), clock)


def together(*workers: Callable[[], object]) -> None:
    """Run each worker in a thread of its own, all released at once; an error of any is raised here.

    The interpreter switches threads as often as it can meanwhile: with its usual five milliseconds a breaker
    without any lock would pass.
    """
    start = threading.Barrier(len(workers))
    errors: list[BaseException] = []

    def run(worker: Callable[[], object]) -> None:
        try:
            start.wait(PATIENCE)
            worker()
        except BaseException as error:  # noqa: BLE001 - raised again below, in the thread of the test
            errors.append(error)

    threads = [threading.Thread(target=run, args=(worker,)) for worker in workers]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    finally:
        sys.setswitchinterval(usual)
    if errors:
        raise errors[0]


def fail() -> None:
    raise Broken


def failing_call(subject: Subject) -> bool:
    """Whether the failing call was admitted."""
    try:
        subject.call(fail)
    except Broken:
        return True
    except Refused:
        return False
    raise AssertionError("the failure was swallowed")


def is_admitted(subject: Subject) -> bool:
    try:
        subject.call(lambda: None)
    except Refused:
        return False
    return True


def break_open(subject: Subject, threshold: int = 1) -> None:
    for _ in range(threshold):
        failing_call(subject)


@dataclass(frozen=True)
class Result:
    passed: bool
    detail: str


def lost_failures(make: MakeSubject, threads: int = 8, each: int = 200) -> Result:
    """E1: every one of the concurrent failures is counted."""
    subject = make(MANY)

    def work() -> None:
        for _ in range(each):
            failing_call(subject)

    together(*[work] * threads)
    lost = threads * each - subject.failures()
    return Result(lost == 0, f"{lost} of {threads * each} lost")


def threshold_trips(make: MakeSubject, threshold: int = 8) -> Result:
    """E2: as many concurrent failures as the threshold says open the circuit."""
    subject = make(threshold)
    together(*[lambda: failing_call(subject)] * threshold)
    admitted = is_admitted(subject)
    return Result(not admitted, "stayed closed" if admitted else "opened")


class RollCall:
    """Set once everybody expected has been here."""

    def __init__(self, expected: int) -> None:
        self._lock = threading.Lock()
        self._missing = expected
        self._complete = threading.Event()

    def here(self) -> None:
        with self._lock:
            self._missing -= 1
            if not self._missing:
                self._complete.set()

    def wait(self, seconds: float) -> None:
        self._complete.wait(seconds)


def herd(make: MakeSubject) -> Result:
    """E3, E4, E5: of many who ask at once after the open time exactly one reaches the backend."""
    subject = make(1)
    break_open(subject)
    subject.cool_down()
    return thread_herd(subject)


def thread_herd(subject: Subject, callers: int = 64, patience: float = 2.0) -> Result:
    """Whoever gets into the backend stays there until everybody has been answered."""
    reached: list[int] = []
    answered = RollCall(callers)

    def backend() -> None:
        reached.append(1)
        answered.here()
        answered.wait(patience)
        raise Broken

    def caller() -> None:
        try:
            subject.call(backend)
        except Refused:
            answered.here()
        except Broken:
            return

    together(*[caller] * callers)
    return Result(len(reached) == 1, f"{len(reached)} of {callers} reached the backend")


def async_herd(make: MakeSubject) -> Result:
    """E3 for tasks of one event loop."""

    async def broken() -> None:
        raise Broken

    async def main() -> Result:
        subject = make(1)
        await asyncio.gather(subject.acall(broken), return_exceptions=True)
        subject.cool_down()
        return await task_herd(subject)

    return asyncio.run(main())


async def task_herd(subject: Subject, callers: int = 64, patience: float = 2.0) -> Result:
    reached: list[int] = []
    missing = [callers]
    complete = asyncio.Event()

    def here() -> None:
        missing[0] -= 1
        if not missing[0]:
            complete.set()

    async def backend() -> None:
        reached.append(1)
        here()
        await asyncio.wait_for(complete.wait(), patience)
        raise Broken

    async def caller() -> None:
        try:
            await subject.acall(backend)
        except Refused:
            here()
        except Broken:
            return

    await asyncio.gather(*(caller() for _ in range(callers)))
    return Result(len(reached) == 1, f"{len(reached)} of {callers} reached the backend")


def cancelled_probes(make: MakeSubject, probes: int = 3, later: int = 5) -> Result:
    """E6: probes that die without a verdict give their permit back."""
    subject = make(1)
    break_open(subject)

    def interrupted() -> None:
        raise KeyboardInterrupt

    for _ in range(probes):
        subject.cool_down()
        try:
            subject.call(interrupted)
        except (KeyboardInterrupt, Refused):
            continue
    subject.cool_down()
    admitted = sum(is_admitted(subject) for _ in range(later))
    return Result(admitted == later, f"{admitted} of {later} admitted afterwards")


def stale_success_in_open(make: MakeSubject) -> Result:
    """E7: a slow call that began before the circuit opened does not close it."""
    subject = make(1)
    outcome: list[bool] = []

    def slow() -> None:
        other = threading.Thread(target=break_open, args=(subject,))
        other.start()
        other.join(1.0)
        outcome.append(not other.is_alive())

    subject.call(slow)
    if not outcome[0]:
        return Result(passed=False, detail="calls are serialised")
    admitted = is_admitted(subject)
    return Result(not admitted, "the stale success closed it" if admitted else "ignored")


def stale_success_in_half_open(make: MakeSubject) -> Result:
    """E8: nor does it close the circuit while another call probes."""
    subject = make(1)
    entered, leave = threading.Event(), threading.Event()

    def probe() -> None:
        entered.set()
        leave.wait(PATIENCE)

    def slow() -> None:
        opener = threading.Thread(target=break_open, args=(subject,))
        opener.start()
        opener.join(1.0)
        subject.cool_down()
        prober.start()
        entered.wait(1.0)

    def ask() -> None:
        with suppress(Refused):
            subject.call(probe)

    prober = threading.Thread(target=ask)
    subject.call(slow)
    if not entered.is_set():
        leave.set()
        prober.join(PATIENCE)
        return Result(passed=False, detail="calls are serialised")
    closed = subject.is_closed()
    leave.set()
    prober.join(PATIENCE)
    return Result(not closed, "the stale success closed it" if closed else "ignored")


def foreign_errors(make: MakeSubject, threads: int = 8, each: int = 100) -> Result:
    """E10: concurrent callers get their own exception, never one from inside the breaker."""
    subject = make(MANY)
    foreign: list[BaseException] = []

    def work() -> None:
        for _ in range(each):
            try:
                subject.call(fail)
            except Broken:
                continue
            except Exception as error:  # noqa: BLE001 - the point of the case
                foreign.append(error)

    together(*[work] * threads)
    return Result(not foreign, f"{len(foreign)} foreign exceptions")


def lost_outcomes(make: MakeSubject, threads: int = 8, each: int = 200) -> Result:
    """E9: a window holds every one of the concurrent calls, good and bad."""
    subject = make(MANY).with_window(threads * each)

    def work() -> None:
        for number in range(each):
            if number % 2:
                failing_call(subject)
            else:
                subject.call(lambda: None)

    together(*[work] * threads)
    lost = threads * each - subject.noted()
    return Result(lost == 0, f"{lost} of {threads * each} lost")


def calls_overlap(make: MakeSubject, callers: int = 8) -> Result:
    """E11: guarded calls run side by side."""
    subject = make(MANY)
    inside = threading.Barrier(callers)
    apart: list[int] = []

    def backend() -> None:
        try:
            inside.wait(1.0)
        except threading.BrokenBarrierError:
            apart.append(1)

    together(*[lambda: subject.call(backend)] * callers)
    return Result(not apart, "serialised" if apart else "side by side")


CASES: dict[str, Callable[[MakeSubject], Result]] = {
    "E1 failures counted": lost_failures,
    "E2 threshold trips": threshold_trips,
    "E3-5 one probe, threads": herd,
    "E3 one probe, tasks": async_herd,
    "E6 cancelled probe": cancelled_probes,
    "E7 stale success, open": stale_success_in_open,
    "E8 stale success, half-open": stale_success_in_half_open,
    "E9 outcomes in the window": lost_outcomes,
    "E10 no foreign errors": foreign_errors,
    "E11 calls overlap": calls_overlap,
}
