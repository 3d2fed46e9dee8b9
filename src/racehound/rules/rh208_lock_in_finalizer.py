"""A lock is taken by code that can interrupt its holder.

A finalizer runs whenever the last reference goes or the collector starts: at any allocation, in any thread, also
in one that holds the lock already. A signal handler runs between any two instructions of the main thread. Both
then wait for the very code that they have interrupted.

Do nothing there but set a flag or put something into a `SimpleQueue`; or use an RLock, if the state may be seen
half changed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.takings import Taking, Takings
from racehound.analysis.program import Program
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.threads.ends import FINALIZER, INTERRUPTING, SIGNAL, registrations
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of, place_of
from racehound.source.events import SELF, Action, Place
from racehound.source.facts import FunctionFacts


class _Interruption(NamedTuple):
    function: FunctionFacts
    what: str
    has_own: bool
    """It runs on an object that nobody else has any more."""


class LockInFinalizer(Rule):
    meta = RuleMeta(
        code="RH208",
        name="lock-in-finalizer",
        summary="`{lock}` is taken in `{function}`, {what}, which can interrupt the thread that holds it",
        severity=Severity.ERROR,
        race_type="Reentrancy",
        impact="Deadlock: the thread waits for the code that was interrupted, which is itself.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad("""
            import threading

            _lock = threading.Lock()
            _open = set()

            class Handle:
                def __init__(self):
                    with _lock:
                        _open.add(id(self))

                def __del__(self):
                    with _lock:  # RH
                        _open.discard(id(self))
            """),
        Bad("""
            import signal
            import threading

            class Server:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._clients = []
                    signal.signal(signal.SIGTERM, self._stop)

                def add(self, client):
                    with self._lock:
                        self._clients.append(client)

                def _stop(self, number, frame):
                    with self._lock:  # RH
                        self._clients.clear()
            """),
    )
    good = (
        Good("""
            import queue
            import threading

            _lock = threading.Lock()
            _closed = queue.SimpleQueue()

            class Handle:
                def __init__(self):
                    self._own = threading.Lock()
                    with _lock:
                        pass

                def __del__(self):
                    with self._own:
                        _closed.put(id(self))
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        takings, meetings = Takings(program), Meetings(program)
        used: dict[int, list[Taking]] = {}
        for function in takings.owners():
            for taking in takings.direct(function):
                used.setdefault(taking.lock, []).append(taking)
        for interruption in _interruptions(program):
            for taking in takings.all(interruption.function):
                own = interruption.has_own and taking.on_self and taking.lock not in takings.fixed
                others = [item for item in used.get(taking.lock, ()) if item.function is not taking.function]
                if interruption.what == _SIGNAL:  # the handler comes in the main thread alone
                    others = [item for item in others if meetings.confined(item.function) is None]
                if takings.is_plain(taking.lock) and others and not own:
                    known = taking.lock in takings.fixed or not interruption.has_own or _is_given(program, taking)
                    sure = _confidence(taking, is_known=known)
                    yield self._accuse(program, interruption, taking, others[0], sure)

    def _accuse(
        self, program: Program, found: _Interruption, taking: Taking, other: Taking, confidence: Sureness
    ) -> Finding:
        name = str(program.locksets.named(taking.lock)[0])
        first = operation(program, taking.function, taking.at, Action.ACQUIRE, Place(name))
        second = operation(program, other.function, other.at, Action.ACQUIRE, Place(name))
        accusation = Accusation(
            owner=owner_of(taking.function),
            field=name,
            first=first,
            second=second,
            trigger=(
                f"A thread holds `{name}` in `{other.function.name}`; at that moment `{found.function.name}` "
                "runs in the same thread and waits for it."
            ),
            confidence=confidence,
            grade=Grade.GIL,
            lock=name,
            contexts=(_WHERE[found.what], ""),
            evidence=(first, second) if place_of(first).path == place_of(second).path else (first,),
        )
        called = "" if taking.function is found.function else f"called by `{found.function.name}`, "
        return self.accuse(
            program, accusation, lock=name, function=taking.function.name, what=f"{called}{found.what}"
        )


_SIGNAL = "a signal handler"
_WHERE = {
    _SIGNAL: "the main thread, between any two of its steps",
    "a finalizer": "whatever thread lets go of the object or runs the collector",
}


def _confidence(taking: Taking, *, is_known: bool) -> Sureness:
    if taking.is_unsure:
        return LockDoubt.UNSURE_TAKING.possible
    return LockDoubt.JUST_THEN.likely if is_known else LockDoubt.OF_ONE_OBJECT.possible


def _is_given(program: Program, taking: Taking) -> bool:
    """True if the lock is that of an object which the one that goes was given: others have it, too."""
    return any(
        SELF in item.shared and item.context.what == FINALIZER
        for item in program.contexts.ends.get(taking.function, ())
    )


def _interruptions(program: Program) -> Iterator[_Interruption]:
    for module in program.modules:
        for function in module.functions:
            if function.is_method and function.name == "__del__":
                yield _Interruption(function, "a finalizer", has_own=True)
        for found in registrations(module, program.calls):
            target = program.calls.function(found.caller, found.value)
            if target is not None and found.what in INTERRUPTING:
                what = _SIGNAL if found.what == SIGNAL else "a finalizer"
                yield _Interruption(target, what, has_own=False)
