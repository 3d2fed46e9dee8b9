"""A field is changed in one place and used in another, and no lock is common to both.

Locking some uses of a field protects none of them: the use without the lock runs in the middle of the locked
section, sees half of a change, or overwrites it. The same holds for a class that threads share and that locks
nothing at all: a method of several steps meets another one between its steps. Both go well most of the time,
because the window is short.

Hold the same lock in every method that uses the field, readers included.
"""

from collections.abc import Iterator
from functools import partial

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.kinds import DEQUES
from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.analysis.state.growth import grows_in_place, replaces
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.state.pairs import Pair, Pairs
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.rules.state.guard_sureness import sureness
from racehound.source.events import Acquire
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class InconsistentGuard(Rule):
    meta = RuleMeta(
        code="RH107",
        name="inconsistent-guard",
        summary="`{field}` is used in `{first}` and `{second}` with no lock in common",
        severity=Severity.ERROR,
        race_type="Inconsistent Guard",
        impact="Data corruption: one method sees or overwrites what another has half changed.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Registry:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._names = set()

                def add(self, name):
                    with self._lock:
                        self._names.add(name)

                def rename(self, old, new):
                    with self._lock:
                        self._names.discard(old)
                        self._names.add(new)

                def has(self, name):
                    return name in self._names  # RH
            """),
        Bad("""
            class Account:
                '''Thread-safe: every method is short.'''

                def __init__(self):
                    self.balance = 0
                    self.last = 0

                def deposit(self, amount):
                    self.balance, self.last = self.balance + amount, amount  # RH

                def clear(self):
                    self.balance, self.last = 0, 0
            """),
    )
    good = (
        Good("""
            import threading

            class Registry:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._names = set()

                def add(self, name):
                    with self._lock:
                        self._names.add(name)

                def has(self, name):
                    with self._lock:
                        return name in self._names
            """),
        Good("""
            import threading

            class Worker:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._stopped = False

                def stop(self):
                    with self._lock:
                        self._stopped = True

                def run(self):
                    while not self._stopped:
                        pass
            """),
        Good("""
            import threading

            class Service:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._client = None

                def client(self):
                    if self._client is None:
                        with self._lock:
                            if self._client is None:
                                self._client = object()
                    return self._client
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in program.hierarchy.classes:
            if program.shared.why(owner) is not None:
                pairs = Pairs(program.fields.of_class(owner), partial(meetings.may_meet, owner))
                yield from self._fields(program, owner, pairs)
        for module in program.modules:
            yield from self._fields(program, module, Pairs(program.fields.of_module(module)))

    def _fields(self, program: Program, owner: ClassFacts | ModuleFacts, pairs: Pairs) -> Iterator[Finding]:
        for name, uses in Meetings(program).own_fields(owner):
            if program.fields.kinds(owner, name) & DEQUES:
                continue  # each step is whole by itself
            judged = list(_judged(program, owner, pairs, name, uses))
            if judged:
                pair, confidence = min(judged, key=lambda item: item[1].rank)
                yield self._accuse(program, owner, name, uses, pair, confidence)

    def _accuse(
        self,
        program: Program,
        owner: ClassFacts | ModuleFacts,
        name: str,
        uses: list[Use],
        pair: Pair,
        confidence: Sureness,
    ) -> Finding:
        first, second = (outer_method(use.function).name for use in (pair.first, pair.second))
        lock = next((str(item) for item in program.locksets.named(pair.lock)), None)
        target = name if isinstance(owner, ModuleFacts) else f"self.{name}"
        wide = any(_is_wide(use, pair.steps) for use in (pair.first, pair.second))
        accusation = Accusation(
            owner=owner,
            field=name,
            first=pair.first,
            second=pair.second,
            trigger=_trigger(pair, target, lock),
            confidence=confidence,
            grade=Grade.GIL if wide else Grade.FREE_THREADED,
            others=functions(uses),
            lock=lock,
            further=pair.further,
        )
        return self.accuse(program, accusation, field=target, first=first, second=second)


def _judged(
    program: Program, owner: ClassFacts | ModuleFacts, pairs: Pairs, name: str, uses: list[Use]
) -> Iterator[tuple[Pair, Sureness]]:
    """The worst pair first, then one for each other function without the lock, until one is to be told."""
    sharing = program.shared.why(owner) if isinstance(owner, ClassFacts) else None
    weighed: set[FunctionFacts] = set()
    while len(weighed) < _WEIGHED and (pair := pairs.choose(name, weighed)) is not None:
        weighed.add(pair.first.function)
        if _is_accusable(program, owner, name, pair):
            confidence = sureness(program, owner, sharing, pair, uses)
            yield pair, confidence
            if confidence.confidence.is_shown:
                return


_WEIGHED = 20
"""Functions that are weighed one after the other; classes that machines write have thousands."""


def _is_accusable(program: Program, owner: ClassFacts | ModuleFacts, name: str, pair: Pair) -> bool:
    if not pair.lock and _only_grows(program, owner, name, pair):
        return False
    return _belongs_here(program, owner, pair) and not _is_between_tasks(program, pair)


def _only_grows(program: Program, owner: ClassFacts | ModuleFacts, name: str, pair: Pair) -> bool:
    return grows_in_place(program, owner, name, pair.first) and not replaces(pair.second)


def _belongs_here(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair) -> bool:
    """A pair that a base class has already by itself is accused there."""
    owners = {pair.first.function.owner, pair.second.function.owner}
    return owner in owners or not any(item is not None and program.shared.why(item) for item in owners)


def _is_between_tasks(program: Program, pair: Pair) -> bool:
    """True for an `asyncio.Lock`: what holds none runs between two awaits of the others, alone.

    A semaphore that lets several in is no guard either.
    """
    function = pair.second.function
    if any("semaphore" in str(lock).lower() for lock in program.locksets.named(pair.lock)):
        return True
    return any(
        isinstance(event, Acquire) and event.is_async and program.locksets.taken(function, event.value) & pair.lock
        for event in function.events
    )


def _is_wide(use: Use, steps: tuple[Use, ...]) -> bool:
    """True if the function of a use can be stopped between its first and its last step."""
    indices = [other.index for other in steps if other.function is use.function]
    return is_interruptible(use.function, min(indices), max(indices))


def _trigger(pair: Pair, target: str, lock: str | None) -> str:
    first, second = (outer_method(use.function).name for use in (pair.first, pair.second))
    doing, other = pair.first.touch.action.value, pair.second.touch.action.value
    if lock is not None:
        return (
            f"`{second}` holds `{lock}` while it {other} `{target}`; `{first}` {doing} it without that lock, "
            f"so it may run at any moment while `{second}` does that."
        )
    return (
        f"A thread in `{first}`, which {doing} `{target}`, is stopped between two steps; another thread runs "
        f"`{second}`, which {other} it; the first goes on with what is no longer true."
    )
