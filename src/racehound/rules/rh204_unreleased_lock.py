"""A path leaves the function with the lock still held.

`acquire()` at the top and `release()` at the bottom leave out the early return in between, and every exception.
Whoever wants the lock next waits for ever, far away from the place that kept it.

Use `with lock:`, or put the release into a `finally` block.
"""

from collections.abc import Iterator

from racehound.analysis.leaks import Leak, Leaks
from racehound.analysis.program import Program
from racehound.analysis.takings import Takings, is_let_go_before
from racehound.model.finding import Confidence, Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import Action, Exit, Place


class UnreleasedLock(Rule):
    meta = RuleMeta(
        code="RH204",
        name="unreleased-lock",
        summary="`{lock}` stays held when `{function}` leaves early",
        severity=Severity.ERROR,
        race_type="Leaked Lock",
        impact="Deadlock: everybody who wants the lock afterwards waits for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad("""
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
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for function in Takings(program).owners():
            for leak in Leaks(program, function).find():
                if not is_let_go_before(function, leak.acquired):
                    yield self._accuse(program, leak)

    def _accuse(self, program: Program, leak: Leak) -> Finding:
        function, name = leak.function, str(program.locksets.named(leak.lock)[0])
        taken = operation(program, function, leak.acquired, Action.ACQUIRE, Place(name))
        left = operation(program, function, leak.left, Action.ACQUIRE, Place(name))
        exit_ = function.events[leak.left]
        raises = leak.is_exception or (isinstance(exit_, Exit) and exit_.kind == "raise")
        how = "raises before the release" if raises else "returns before the release"
        accusation = Accusation(
            owner=owner_of(function),
            field=name,
            first=taken if leak.is_exception else left,
            second=taken,
            trigger=f"`{function.name}` takes `{name}` and {how}; the next thread that wants it waits for ever.",
            confidence=_confidence(leak),
            grade=Grade.GIL,
            lock=name,
            evidence=(taken, left),
        )
        return self.accuse(program, accusation, lock=name, function=function.name)


def _confidence(leak: Leak) -> Confidence:
    """What is called may raise, unless it is a mere note; and a task may be cancelled while it waits."""
    if not leak.is_exception:
        return Confidence.CERTAIN
    return Confidence.LIKELY if leak.is_awaiting or leak.may_fail else Confidence.POSSIBLE
