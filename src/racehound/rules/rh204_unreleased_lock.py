"""A path leaves the function with the lock still held.

`acquire()` at the top and `release()` at the bottom leave out the early return in between, and every exception.
Whoever wants the lock next waits for ever, far away from the place that kept it.

`acquire(timeout=5)` and `acquire(False)` come back without the lock, too, and say so: where nobody looks at the
answer, the section runs beside the one who has the lock, and then releases what it does not hold.

Use `with lock:`, or put the release into a `finally` block; ask a timed `acquire` whether it got the lock.
"""

from collections.abc import Iterator

from racehound.analysis.locking.given_back import is_a_signal
from racehound.analysis.locking.leaks import Leak, Leaks
from racehound.analysis.locking.lock_attempts import Unheeded, unheeded
from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.locking.takings import Takings, is_let_go_before
from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_in_a_test
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import Acquire, Action, Exit, Pause, Place
from racehound.source.facts import FunctionFacts


class UnreleasedLock(Rule):
    spares_tests = False  # a lock of all tests stays held for the others
    meta = RuleMeta(
        code="RH204",
        name="unreleased-lock",
        summary="`{lock}` {fate}",
        severity=Severity.ERROR,
        race_type="Leaked Lock",
        impact="Deadlock: whoever wants the lock next waits for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad(
            """
            import threading

            class Queue:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._items = []

                def take(self):
                    self._lock.acquire()
                    if not self._items:
                        return None  # RH
                    item = self._items.pop()
                    self._lock.release()
                    return item
            """,
            fixed="""
            import threading

            class Queue:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._items = []

                def take(self):
                    with self._lock:
                        if not self._items:
                            return None
                        item = self._items.pop()
                    return item
            """,
        ),
        Bad("""
            import threading

            class Printer:
                def __init__(self, device):
                    self._lock = threading.Lock()
                    self._device = device

                def emit(self, line):
                    self._lock.acquire(timeout=5)  # RH
                    try:
                        self._device.write(line)
                    finally:
                        self._lock.release()
            """),
    )
    good = (
        Good("""
            import threading

            class Queue:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._items = []

                def take(self):
                    self._lock.acquire()
                    try:
                        if not self._items:
                            return None
                        return self._items.pop()
                    finally:
                        self._lock.release()
            """),
        Good("""
            import threading

            class Gate:
                def __init__(self):
                    self._lock = threading.Lock()
                    self.closed = False

                def enter(self):
                    self._lock.acquire()
                    if self.closed:
                        self._lock.release()
                        return False
                    return True
            """),
        Good("""
            import threading

            class Printer:
                def __init__(self, device):
                    self._lock = threading.Lock()
                    self._device = device

                def emit(self, line):
                    if not self._lock.acquire(timeout=5):
                        raise TimeoutError
                    try:
                        self._device.write(line)
                    finally:
                        self._lock.release()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for function in Takings(program).owners():
            for leak in Leaks(program, function).find():
                if not is_let_go_before(function, leak.acquired):
                    yield self._accuse(program, leak)
            for attempt in unheeded(function):  # locks of other makes may raise when the time is over
                taken = function.events[attempt.acquired]
                lock = program.locksets.taken(function, taken.value) if isinstance(taken, Acquire) else 0
                known = program.kinds.place(function, attempt.lock) & THREAD_LOCKS
                if known and not is_a_signal(program, function, lock):
                    yield self._accuse_unheeded(program, function, attempt)

    def _accuse(self, program: Program, leak: Leak) -> Finding:
        function, name = leak.function, str(program.locksets.named(leak.lock)[0])
        taken = operation(program, function, leak.acquired, Action.ACQUIRE, Place(name))
        ending = Action.RELEASE if leak.is_exception else Action.KEEP
        left = operation(program, function, leak.left, ending, Place(name))
        exit_ = function.events[leak.left]
        kind = exit_.kind if isinstance(exit_, Exit) else "raise" if leak.is_exception else "end"
        who = "task" if function.is_async else "thread"
        accusation = Accusation(
            owner=owner_of(function),
            field=name,
            first=taken if leak.is_exception else left,
            second=left if leak.is_exception else taken,
            trigger=(
                f"`{function.name}` takes `{name}` and {_WAYS_OUT[kind]}; the next {who} that wants it waits for "
                "ever."
            ),
            confidence=_confidence(program, leak),
            grade=Grade.GIL,
            lock=name,
            evidence=(taken, left),
            remedy=f"Use `{_block(function, leak)} {name}:`, or put the release into a `finally` block.",
        )
        fate = f"stays held when `{function.name}` {_FATES.get(kind, 'leaves early')}"
        return self.accuse(program, accusation, lock=name, fate=fate)

    def _accuse_unheeded(self, program: Program, function: FunctionFacts, attempt: Unheeded) -> Finding:
        name = str(attempt.lock)
        taken = operation(program, function, attempt.acquired, Action.ACQUIRE, Place(name))
        released = operation(program, function, attempt.released, Action.RELEASE, Place(name))
        accusation = Accusation(
            owner=owner_of(function),
            field=name,
            first=taken,
            second=released,
            trigger=f"Another thread holds `{name}` for longer; `{function.name}` goes on without it, "
            "and then releases it all the same.",
            confidence=LockDoubt.LATE.likely,
            grade=Grade.GIL,
            lock=name,
            evidence=(taken, released),
            impact="No exclusion: two threads are in the section at once.",
            remedy="Go on only if `acquire` says that it got the lock, and release it only then.",
        )
        fate = f"is released in `{function.name}`, which does not look whether it got it"
        return self.accuse(program, accusation, lock=name, fate=fate)


_WAYS_OUT = {
    "raise": "an exception leaves it before the release",
    "return": "returns before the release",
    "continue": "begins the next round before the release",
    "end": "releases it on one way only, and nothing else does",
}
_FATES = {"continue": "begins its next round", "end": "takes another way to its end"}


def _block(function: FunctionFacts, leak: Leak) -> str:
    """How the lock is entered: one whose `acquire` is awaited is one of tasks."""
    following = function.events[leak.acquired + 1 : leak.acquired + 2]
    return "async with" if any(isinstance(event, Pause) for event in following) else "with"


def _is_of_a_test(program: Program, leak: Leak) -> bool:
    """True for a lock that a test or its object has made: nobody comes for it once the test has failed."""
    taken = leak.function.events[leak.acquired]
    place = taken.value.place if isinstance(taken, Acquire) else None
    lasts = place is not None and place.root in {*leak.function.module.variables, *leak.function.module.imports}
    return not lasts and is_in_a_test(program.hierarchy, leak.function)


def _confidence(program: Program, leak: Leak) -> Sureness:
    """What is called may raise, unless it is a mere note; and a task may be cancelled while it waits."""
    if not leak.is_exception:
        return LockDoubt.KEPT_ON_ONE_WAY.likely if leak.left == leak.acquired else CERTAIN
    if _is_of_a_test(program, leak):
        return LockDoubt.OF_TEST.possible
    if leak.may_fail:
        return LockDoubt.MAY_RAISE.likely
    return LockDoubt.MAY_BE_CANCELLED.likely if leak.is_awaiting else LockDoubt.SELDOM_RAISES.possible
