"""Two objects of one class are locked in the order in which they happen to be given.

`transfer(a, b)` locks `a` and then `b`; `transfer(b, a)`, in another thread, locks `b` and then `a`. The code has
one order, but the objects have two, so that each thread holds what the other one waits for.

Lock in an order of the objects themselves (their number, or `id`), or change one at a time.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.takings import Takings
from racehound.analysis.meaning.kinds import Kind
from racehound.analysis.meaning.tables import table_of
from racehound.analysis.program import Program
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import SELF, Acquire, Action, Call, Place, Release, Shape, Value
from racehound.source.facts import FunctionFacts

_ORDERED = re.compile(r"\b(sorted|min|max|id)\(|\.sort\(|[^-=]>|<[^-]")
"""Signs that the author puts the two into an order first."""


class _Nested(NamedTuple):
    function: FunctionFacts
    outer: Place
    at: int
    inner: Place


class InstanceLockOrder(Rule):
    meta = RuleMeta(
        code="RH202",
        name="instance-lock-order",
        summary="`{function}` takes `{inner}` while it holds `{outer}`: with the objects exchanged, it deadlocks",
        severity=Severity.ERROR,
        race_type="Lock Order",
        impact="Deadlock: two threads wait for each other for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad(
            """
            import threading

            class Account:
                def __init__(self):
                    self.lock = threading.Lock()
                    self.balance = 0

                def transfer(self, other, amount):
                    with self.lock:
                        with other.lock:  # RH
                            self.balance -= amount
                            other.balance += amount
            """,
            fixed="""
            import threading

            class Account:
                def __init__(self):
                    self.lock = threading.Lock()
                    self.balance = 0

                def transfer(self, other, amount):
                    first, second = sorted((self.lock, other.lock), key=id)
                    with first:
                        with second:
                            self.balance -= amount
                            other.balance += amount
            """,
        ),
        Bad("""
            import threading

            class Account:
                def __init__(self):
                    self._lock = threading.Lock()
                    self.balance = 0

                def deposit(self, amount):
                    with self._lock:
                        self.balance += amount

                def transfer(self, other: "Account", amount):
                    with self._lock:
                        self.balance -= amount
                        other.deposit(amount)  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class Account:
                def __init__(self, number):
                    self.number = number
                    self.lock = threading.Lock()
                    self.balance = 0

                def transfer(self, other, amount):
                    first, second = sorted((self, other), key=lambda account: account.number)
                    with first.lock, second.lock:
                        self.balance -= amount
                        other.balance += amount
            """),
        Good("""
            import threading

            class Account:
                def __init__(self):
                    self._lock = threading.Lock()
                    self.balance = 0

                def deposit(self, amount):
                    with self._lock:
                        self.balance += amount

                def transfer(self, other: "Account", amount):
                    with self._lock:
                        self.balance -= amount
                    other.deposit(amount)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        takings = Takings(program)
        for function in takings.owners():
            for nested in (*_direct(program, takings, function), *_called(program, takings, function)):
                if not _ORDERED.search(_source(function)) and not _is_one_by_one(program, takings, nested):
                    yield self._accuse(program, nested)

    def _accuse(self, program: Program, nested: _Nested) -> Finding:
        function = nested.function
        inner = operation(program, function, nested.at, Action.ACQUIRE, nested.inner)
        accusation = Accusation(
            owner=owner_of(function),
            field=(nested.outer.attributes or (nested.outer.root,))[-1],
            first=inner,
            second=inner,
            trigger=(
                f"One thread calls `{function.name}` for two objects, another one for the same two the other way "
                f"round: each holds the lock of its first object and waits for that of its second."
            ),
            confidence=LockDoubt.BOTH_WAYS.likely,
            grade=Grade.GIL,
            lock=(nested.outer.attributes or (nested.outer.root,))[-1],
        )
        names = {"inner": str(nested.inner), "outer": str(nested.outer)}
        return self.accuse(program, accusation, function=function.name, **names)


def _is_one_by_one(program: Program, takings: Takings, nested: _Nested) -> bool:
    """True where a lock that all have in common is held around both: no two are at it at the same time."""
    takings.direct(nested.function)
    held = program.locksets.at(nested.function, nested.at)
    pair = program.locksets.taken(nested.function, Value(Shape.PLACE, place=nested.outer))
    others = held & ~pair
    if any(others & lock for lock in takings.fixed):
        return True
    return nested.outer.root != SELF != nested.inner.root and any(
        others & taking.lock for taking in takings.direct(nested.function) if taking.on_self
    )


def _direct(program: Program, takings: Takings, function: FunctionFacts) -> Iterator[_Nested]:
    """`with a.lock: with b.lock:` for two objects that the function was given."""
    held: list[Place] = []
    for index, event in enumerate(function.events) if Acquire in function.holds else ():
        if isinstance(event, Release) and event.value.place in held:
            held.remove(event.value.place)
        if not isinstance(event, Acquire) or event.value.shape is not Shape.PLACE or event.value.place is None:
            continue
        place = event.value.place
        if (
            not _is_given(function, place)
            or not place.attributes
            or not _is_thread_lock(program, takings, function, place)
        ):
            continue
        for outer in held:
            is_pair = outer.attributes == place.attributes and outer.root != place.root
            if is_pair and _are_alike(program, function, outer.root, place.root):
                yield _Nested(function, outer, index, place)
        held.append(place)


def _is_thread_lock(program: Program, takings: Takings, function: FunctionFacts, place: Place) -> bool:
    """The lock of `self` was made as one; that of another object has the same name."""
    owner = function.owner
    if owner is not None and takings.made_as(function, Place(SELF, place.attributes)):
        return any(
            str(kind).startswith("threading.") for kind in takings.made_as(function, Place(SELF, place.attributes))
        )
    known = takings.made_as(function, place) or _kept_by_given(program, function, place)
    return any(str(kind).startswith("threading.") for kind in known)


def _kept_by_given(program: Program, function: FunctionFacts, place: Place) -> frozenset[Kind]:
    """For `with source.lock: with target.lock:` of which nothing says what they are: what callers give."""
    given = program.kinds.holders(function, Place(place.root)) if len(place.attributes) == 1 else []
    found = [program.kinds.field(item, place.attributes[0]) for item in given]
    return found[0].union(*found[1:]) if found and not _is_ordered_by_callers(program, function) else frozenset()


def _is_ordered_by_callers(program: Program, function: FunctionFacts) -> bool:
    return any(_SORTED.search(_source(caller.function)) for caller in program.callers.named(function.name))


_SORTED = re.compile(r"\b(sorted|min|max|id)\(|\.sort\(")


def _is_given(function: FunctionFacts, place: Place) -> bool:
    """True for an object that the caller chose: it gave it, or the name under which it is found."""
    if place.root in function.bound:
        values = function.bindings.get(place.root, ())
        return bool(values) and all(table_of(value) is not None for value in values)
    return place.root == SELF or place.root in function.parameters


def _called(program: Program, takings: Takings, function: FunctionFacts) -> Iterator[_Nested]:
    """`with self.lock: other.deposit(...)` where `deposit` locks its own object; `with source.lock:` as well."""
    held = program.locksets.within(function)
    for index, event in enumerate(function.events):
        if not isinstance(event, Call) or not held[index] or event.callee is None:
            continue
        root, attributes = event.callee
        if root == SELF or len(attributes) != 1 or not _is_given(function, Place(root)):
            continue
        target = program.calls.target(function, event)
        for taking in takings.all(target) if target is not None else ():
            if target is None or not taking.on_self or taking.lock in takings.fixed:
                continue
            name = str(program.locksets.named(taking.lock)[0])
            own = function.owner is not None and target.owner in program.hierarchy.family(function.owner)
            if own and held[index] & taking.lock:
                yield _Nested(function, Place(SELF, (name,)), index, Place(root, (name,)))
            elif (other := _held_through(program, function, index, Place(root, (name,)))) is not None:
                yield _Nested(function, other, index, Place(root, (name,)))


def _held_through(program: Program, function: FunctionFacts, index: int, inner: Place) -> Place | None:
    """The same lock of another object of the kind, which the function was given as well and has locked."""
    found: Place | None = None
    for event in function.events[:index]:
        place = event.value.place if isinstance(event, Acquire | Release) else None
        if place is None or place.attributes != inner.attributes or place.root in {inner.root, SELF}:
            continue
        if _is_given(function, place) and _are_alike(program, function, place.root, inner.root):
            found = place if isinstance(event, Acquire) else None
    return found


def _are_alike(program: Program, function: FunctionFacts, one: str, other: str) -> bool:
    """True unless the two are known to be of different kinds."""
    ours, theirs = (program.kinds.holders(function, Place(name)) for name in (one, other))
    related = program.hierarchy.are_related
    return not ours or not theirs or any(related(first, second) for first in ours for second in theirs)


def _source(function: FunctionFacts) -> str:
    lines = function.module.text.split("\n")
    return "\n".join(lines[function.span.line - 1 : function.span.end_line])
