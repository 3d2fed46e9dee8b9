"""Locks are taken in different orders, so that each thread can hold what the other one waits for.

One thread holds A and wants B, the other holds B and wants A: both wait for ever. The two halves often lie in
different classes, and one of the locks is taken by a method that is called with the other held. It goes well as
long as no two threads come to their first lock at the same moment.

Take the locks in one order everywhere, or let go of the first before calling what takes the second.
"""

from collections.abc import Iterator
from itertools import combinations

from racehound.analysis.locking.orders import Edge, Orders
from racehound.analysis.locking.takings import FAR, Takings
from racehound.analysis.program import Program
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.threads.turns import Turns
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of, place_of
from racehound.source.events import Action, Place


class LockOrderCycle(Rule):
    meta = RuleMeta(
        code="RH201",
        name="lock-order-cycle",
        summary="`{taken}` is taken while `{held}` is held in `{first}`; `{second}` does it the other way round",
        severity=Severity.ERROR,
        race_type="Lock Order",
        impact="Deadlock: the threads wait for each other for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad("""
            import threading

            class Warehouse:
                def __init__(self):
                    self._shelf = threading.Lock()
                    self._book = threading.Lock()

                def order(self):
                    with self._shelf:
                        with self._book:  # RH
                            pass

                def cancel(self):
                    with self._book:
                        self._restock()

                def _restock(self):
                    with self._shelf:
                        pass
            """),
        Bad(
            """
            import threading

            class Bank:
                def __init__(self):
                    self._cash = threading.Lock()
                    self._debt = threading.Lock()

                def repay(self):
                    with self._cash:
                        with self._debt:  # RH
                            pass

                def borrow(self):
                    with self._debt:
                        with self._cash:
                            pass
            """,
            fixed="""
            import threading

            class Bank:
                def __init__(self):
                    self._cash = threading.Lock()
                    self._debt = threading.Lock()

                def repay(self):
                    with self._cash:
                        with self._debt:
                            pass

                def borrow(self):
                    with self._cash:
                        with self._debt:
                            pass
            """,
        ),
    )
    good = (
        Good("""
            import threading

            class Warehouse:
                def __init__(self):
                    self._shelf = threading.Lock()
                    self._book = threading.Lock()

                def order(self):
                    with self._shelf:
                        with self._book:
                            pass

                def cancel(self):
                    with self._shelf, self._book:
                        pass
            """),
        Good("""
            import threading

            class Warehouse:
                def __init__(self):
                    self._gate = threading.Lock()
                    self._shelf = threading.Lock()
                    self._book = threading.Lock()

                def order(self):
                    with self._gate, self._shelf, self._book:
                        pass

                def cancel(self):
                    with self._gate, self._book, self._shelf:
                        pass
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        turns = Turns(program)
        for circle in Orders(program, Takings(program)).circles():
            in_turn = any(turns.are_taken(one.function, other.function) for one, other in combinations(circle, 2))
            if not _is_one_thread(program, circle) and not (in_turn and _is_of_script(circle)):
                yield self._accuse(program, _from_first(circle), in_turn=in_turn)

    def _accuse(self, program: Program, circle: tuple[Edge, ...], *, in_turn: bool) -> Finding:
        uses = [
            operation(
                program, edge.function, edge.at, Action.ACQUIRE, Place(_full_name(program, circle, edge.taken))
            )
            for edge in circle
        ]
        first, second = circle[0], circle[-1]
        names = [_name(program, edge.held) for edge in circle]
        accusation = Accusation(
            owner=owner_of(first.function),
            field=names[0],
            fields=tuple(dict.fromkeys(names)),
            first=uses[0],
            second=uses[-1],
            trigger=_trigger(program, circle),
            confidence=LockDoubt.IN_TURN.possible if in_turn else _confidence(program, circle),
            grade=Grade.GIL,
            others=tuple(edge.function for edge in circle),
            evidence=tuple(use for use in uses if place_of(use).path == place_of(uses[0]).path),
        )
        facts = {
            "taken": _full_name(program, circle, first.taken),
            "held": _full_name(program, circle, first.held),
        }
        return self.accuse(program, accusation, first=first.function.name, second=second.function.name, **facts)


def _name(program: Program, lock: int) -> str:
    return str(program.locksets.named(lock)[0])


def _full_name(program: Program, circle: tuple[Edge, ...], lock: int) -> str:
    """With its class where two locks of the circle have the same name."""
    names = [_name(program, item) for item in {edge.held for edge in circle}]
    owner = program.locksets.named(lock)[0].owner.rpartition("::")[2]
    name = _name(program, lock)
    return f"{owner}.{name}" if names.count(name) > 1 else name


def _from_first(circle: tuple[Edge, ...]) -> tuple[Edge, ...]:
    """Turned so that it begins at the place that comes first in the source."""
    places = [(edge.function.module.path, edge.function.span, edge.at) for edge in circle]
    start = places.index(min(places))
    return circle[start:] + circle[:start]


def _is_one_thread(program: Program, circle: tuple[Edge, ...]) -> bool:
    """True if all steps are taken by one and the same thread, or while the object is being made."""
    meetings = Meetings(program)
    threads = {meetings.confined(edge.function) for edge in circle}
    return len(threads) == 1 and None not in threads


def _is_of_script(circle: tuple[Edge, ...]) -> bool:
    """True if all steps are those of a module that is run, and nobody but the program itself comes to them."""
    return all("__main__" in edge.function.module.text for edge in circle)


def _confidence(program: Program, circle: tuple[Edge, ...]) -> Sureness:
    if any(edge.taking.is_unsure for edge in circle):
        return LockDoubt.UNSURE_TAKING.possible
    if any(edge.taking.calls >= FAR for edge in circle):
        return LockDoubt.FAR.possible
    if any(_is_taken_before(program, edge) for edge in circle):
        return LockDoubt.TAKEN_BEFORE.possible
    if not all(program.contexts.all(edge.function) for edge in circle):
        return LockDoubt.UNKNOWN_THREADS.likely
    return CERTAIN if len(circle) == 2 else LockDoubt.LONG_CIRCLE.likely


def _is_taken_before(program: Program, edge: Edge) -> bool:
    """True if all that is seen to call it has the lock already that it takes second: it need not wait for it."""
    calls = program.callers.of(edge.function)
    return bool(calls) and all(program.locksets.at(call.function, call.at) & edge.taken for call in calls)


def _trigger(program: Program, circle: tuple[Edge, ...]) -> str:
    steps = [
        f"a thread in `{edge.function.name}` holds `{_full_name(program, circle, edge.held)}` and waits for "
        f"`{_full_name(program, circle, edge.taken)}`"
        for edge in circle
    ]
    text = "; ".join(steps)
    return f"{text[0].upper()}{text[1:]}. None of them goes on."
