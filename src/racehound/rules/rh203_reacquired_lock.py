"""A thread waits for a lock that it holds itself.

A `threading.Lock` does not know its owner: taking it again, in the same thread, waits for a release that can only
come from that very thread. Mostly the second taking hides in a method that is called with the lock held, on a
path that tests do not reach. A future of a pool that is done already calls what `add_done_callback` gives it on
the spot, in the thread that adds it.

Split the method into one that takes the lock and one that expects it to be held, or use an RLock.
"""

from collections.abc import Iterator
from dataclasses import replace

from racehound.analysis.locking.given_back import is_a_signal
from racehound.analysis.locking.takings import FAR, Taking, Takings
from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN, Sureness, weaker
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.locking.called_at_once import called_at_once
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of, place_of
from racehound.source.events import Action, Exit, Place
from racehound.source.facts import FunctionFacts


class ReacquiredLock(Rule):
    meta = RuleMeta(
        code="RH203",
        name="reacquired-lock",
        summary="`{lock}` is taken in `{inner}` {how}",
        severity=Severity.ERROR,
        race_type="Self-Deadlock",
        impact="Deadlock: the thread waits for itself for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad(
            """
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._items = {}

                def count(self):
                    with self._lock:
                        return len(self._items)

                def report(self):
                    with self._lock:
                        return f"{self.count()} items"  # RH
            """,
            fixed="""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.RLock()
                    self._items = {}

                def count(self):
                    with self._lock:
                        return len(self._items)

                def report(self):
                    with self._lock:
                        return f"{self.count()} items"
            """,
        ),
    )
    good = (
        Good("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.RLock()
                    self._items = {}

                def count(self):
                    with self._lock:
                        return len(self._items)

                def report(self):
                    with self._lock:
                        return f"{self.count()} items"
            """),
        Good("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._items = {}

                def count(self):
                    with self._lock:
                        return len(self._items)

                def compare(self, other: "Stock"):
                    with self._lock:
                        ours = len(self._items)
                    return ours - other.count() + self.count()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for takings in (Takings(program), Takings(program, of_tasks=True)):
            for function in takings.owners():
                yield from self._direct(program, takings, function)
                yield from self._called(program, takings, function)
                yield from self._called_at_once(program, takings, function)

    def _direct(self, program: Program, takings: Takings, function: FunctionFacts) -> Iterator[Finding]:
        for taking in takings.direct(function):
            held = program.locksets.within(function)[taking.at]
            again = held & taking.lock and takings.is_plain(taking.lock) and _is_one(takings, taking)
            if again and not is_a_signal(program, function, taking.lock):
                yield self._accuse(program, function, taking.at, taking, _confidence(taking))

    def _called(self, program: Program, takings: Takings, function: FunctionFacts) -> Iterator[Finding]:
        held = program.locksets.within(function)
        if not any(held):
            return
        for index, call, target in takings.calls(function):
            if not held[index]:
                continue
            for found in takings.all(target):
                taking = takings.through(call, found)
                if held[index] & taking.lock and takings.is_plain(taking.lock) and _is_one(takings, taking):
                    over = target is function and _may_leave_before(function, found.at)
                    sure = LockDoubt.UNSURE_TAKING.possible if over else _confidence(taking)
                    yield self._accuse(program, function, index, taking, sure)

    def _called_at_once(self, program: Program, takings: Takings, function: FunctionFacts) -> Iterator[Finding]:
        for found in called_at_once(program, takings, function):
            sure = weaker(_confidence(found.taking), LockDoubt.SAME_THREAD_IF_DONE.likely)
            finding = self._accuse(program, function, found.at, found.taking, sure)
            name, inner = found.taking.function.name, found.callback.name
            yield replace(
                finding,
                trigger=(
                    f"A thread holds `{finding.subject.lock}` in `{function.name}`; the future is done by then, "
                    f"so it calls `{inner}` on the spot, and `{name}` waits for the lock."
                ),
            )

    def _accuse(
        self, program: Program, function: FunctionFacts, index: int, taking: Taking, confidence: Sureness
    ) -> Finding:
        name = str(program.locksets.named(taking.lock)[0])
        outer = operation(program, function, index, Action.ACQUIRE, Place(name))
        inner = operation(program, taking.function, taking.at, Action.ACQUIRE, Place(name))
        same = place_of(inner).path == place_of(outer).path
        of_tasks = function.is_async and taking.function.is_async
        waits = f"A thread holds `{name}` in `{function.name}` and waits for it in `{taking.function.name}`."
        stuck = (
            f"`{function.name}` holds `{name}` and waits for `{taking.function.name}`, which waits for `{name}`."
        )
        accusation = Accusation(
            owner=owner_of(function),
            field=name,
            first=outer,
            second=inner,
            trigger=stuck if of_tasks else waits,
            confidence=confidence,
            grade=Grade.GIL,
            lock=name,
            evidence=(outer, inner) if same else (outer,),
        )
        by_thread = f"by a thread that holds it already, in `{function.name}`"
        by_task = f"while `{function.name}` holds it and waits for that"
        how = by_task if of_tasks else by_thread
        return self.accuse(program, accusation, lock=name, inner=taking.function.name, how=how)


def _confidence(taking: Taking) -> Sureness:
    if taking.is_unsure:
        return LockDoubt.UNSURE_TAKING.possible
    return LockDoubt.FAR.possible if taking.calls >= FAR else CERTAIN


def _may_leave_before(function: FunctionFacts, at: int) -> bool:
    """True for a function that may return before it takes the lock, as one that calls itself may do in the end."""
    return Exit in function.holds and any(isinstance(event, Exit) for event in function.events[:at])


def _is_one(takings: Takings, taking: Taking) -> bool:
    """True if it is certainly the same lock, not that of another object of the class."""
    return taking.on_self or taking.lock in takings.fixed
