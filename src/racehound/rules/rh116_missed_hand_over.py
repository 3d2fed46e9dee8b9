"""Something is left for another thread to find, after that thread has looked for the last time.

One method sees that the result is not there yet, and leaves its callback to be called with it. Another stores the
result and calls the callbacks that it finds. Stopped between its look and what it leaves, the first one comes too
late: the result is there, the callbacks have been called, and this one is never called. Whoever counts on it
waits for ever.

Hold one lock over the look and what is left, and the same one over the store and the search; call the callbacks
after it is given up.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_none
from racehound.analysis.state.meeting import Meetings
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.rules.state.guard_order import is_beginning
from racehound.source.events import Action, Decision, Shape
from racehound.source.facts import ClassFacts, FunctionFacts

_SIGNALS = frozenset({"threading.Event", "threading.Condition"})
_MADE = frozenset({"Event", "Condition"})


class _Side(NamedTuple):
    """Two uses of different fields by one function, in this order."""

    first: Use
    last: Use


class MissedHandOver(Rule):
    meta = RuleMeta(
        code="RH116",
        name="missed-hand-over",
        summary="What `{first}` leaves in `{target}` is missed if `{second}` has looked there already",
        severity=Severity.ERROR,
        race_type="Lost Wake-up",
        impact="Lost call: what was left is never found, and whoever counts on it waits for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Answer:
                def __init__(self):
                    self._event = threading.Event()
                    self._value = None
                    self._callbacks = []

                def add_callback(self, callback):
                    if self._value is not None:
                        callback(self._value)
                    else:
                        self._callbacks.append(callback)  # RH

                def set(self, value):
                    self._value = value
                    self._event.set()
                    for callback in self._callbacks:
                        callback(value)
            """),
    )
    good = (
        Good("""
            import threading

            class Answer:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._value = None
                    self._callbacks = []

                def add_callback(self, callback):
                    with self._lock:
                        if self._value is None:
                            self._callbacks.append(callback)
                            return
                    callback(self._value)

                def set(self, value):
                    with self._lock:
                        self._value = value
                        callbacks = list(self._callbacks)
                    for callback in callbacks:
                        callback(value)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if _is_shared(program, owner):
                fields = program.fields.of_class(owner)
                leaving = list(_leaving(program, fields))
                finding = list(_finding(fields)) if leaving else []
                for left, found in product(leaving, finding):
                    if _meet(program, owner, left, found):
                        yield self._accuse(program, owner, left, found)

    def _accuse(self, program: Program, owner: ClassFacts, left: _Side, found: _Side) -> Finding:
        first, second = (outer_method(side.first.function).name for side in (left, found))
        target, sign = left.last.touch.place, left.first.touch.place
        accusation = Accusation(
            owner=owner,
            field=target.attributes[0],
            fields=(target.attributes[0], sign.attributes[0]),
            first=left.last,
            second=found.last,
            trigger=(
                f"`{first}` looks at `{sign}` and is stopped; another thread runs `{second}`, which stores it and "
                f"looks into `{target}`; then `{first}` leaves there what nobody looks for any more."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely,
            grade=Grade.GIL,
            evidence=(left.first, left.last, found.first, found.last),
            others=(left.last.function, found.last.function),
        )
        return self.accuse(program, accusation, target=str(target), first=first, second=second)


def _is_shared(program: Program, owner: ClassFacts) -> bool:
    if program.shared.why(owner) is not None:
        return True
    if _MADE.isdisjoint(owner.module.callers):
        return False
    return any(program.kinds.field(owner, name) & _SIGNALS for name in program.kinds.written_names(owner))


def _leaving(program: Program, fields: dict[str, list[Use]]) -> Iterator[_Side]:
    """A look at one field that decides whether something the caller gave is left in another."""
    changes = [use for uses in fields.values() for use in uses if use.changes and _is_given(use)]
    for act in changes:
        paths = program.awaits.paths(act.function)
        for uses in fields.values():
            for look in uses:
                if (
                    look.function is act.function
                    and look.index < act.index
                    and look.touch.place != act.touch.place
                    and _decides(look)
                    and paths.decided_by(look.index, act.index)
                ):
                    yield _Side(look, act)


def _decides(use: Use) -> bool:
    return use.touch.action in {Action.CHECK, Action.READ} and any(
        isinstance(event, Decision) and use.index in event.sources for event in use.function.events
    )


def _is_given(use: Use) -> bool:
    """True for `self._callbacks.append(callback)` and `self._callback = callback`: something of the caller."""
    touch, given = use.touch, set(use.function.parameters[1:])
    if touch.action is Action.MUTATE and touch.method in {"append", "add", "appendleft"}:
        return any(name in (touch.key or "") for name in given)
    return touch.action is Action.WRITE and any(
        part.place is not None and part.place.root in given
        for value in touch.values
        if value.shape in {Shape.PLACE, Shape.CONTAINER}
        for part in (value, *value.arguments)
    )


def _finding(fields: dict[str, list[Use]]) -> Iterator[_Side]:
    """A store to one field, and after it a look into another."""
    changes = (use for uses in fields.values() for use in uses if use.touch.action is Action.WRITE and use.changes)
    stores = [use for use in changes if not all(map(is_none, use.touch.values))]
    looks = _looks(fields) if stores else {}
    for store in stores:
        for uses in looks.get(store.function, ()):
            for look in uses:
                if look.index > store.index and look.touch.place != store.touch.place and _takes(fields, look):
                    yield _Side(store, look)
                    break


def _looks(fields: dict[str, list[Use]]) -> dict[FunctionFacts, list[list[Use]]]:
    """By function, field after field: each store is compared with those of its own function alone."""
    found: dict[FunctionFacts, list[list[Use]]] = {}
    for uses in fields.values():
        of_field: dict[FunctionFacts, list[Use]] = {}
        for use in uses:
            if use.touch.action in _LOOKS:
                of_field.setdefault(use.function, []).append(use)
        for function, looks in of_field.items():
            found.setdefault(function, []).append(looks)
    return found


def _takes(fields: dict[str, list[Use]], look: Use) -> bool:
    """False for a mere question, as how many there are, and where the function itself has set it just before."""
    own = [use for use in fields[look.touch.place.attributes[0]] if use.function is look.function]
    if any(use.touch.action is Action.WRITE and use.index < look.index for use in own):
        return False
    return any(use.touch.action is not Action.CHECK for use in own)


_LOOKS = frozenset({Action.CHECK, Action.ITERATE, Action.READ})


def _is_looked_for(program: Program, owner: ClassFacts, look: Use) -> bool:
    """True if the one place for what is left is empty at first, and asked whether there is something."""
    kinds = program.kinds.field(owner, look.touch.place.attributes[0])
    return NONE in kinds and look.touch.action is Action.CHECK


_PREPARING = re.compile(r"_*(auto_?)?(load|configure|set_?up|init|finali[sz]e|prepare)(_|$)")


def _is_apart(function: FunctionFacts) -> bool:
    """True for what is done before others come, or after they have gone."""
    method = outer_method(function)
    name = method.name
    return bool(is_beginning(method) or TEARDOWN.match(name) or _PREPARING.match(name))


def _meet(program: Program, owner: ClassFacts, left: _Side, found: _Side) -> bool:
    if left.first.touch.place != found.first.touch.place or left.last.touch.place != found.last.touch.place:
        return False
    if left.last.touch.action is Action.WRITE and not _is_looked_for(program, owner, found.last):
        return False
    function, other = left.last.function, found.last.function
    if outer_method(function) is outer_method(other) or function.is_async or other.is_async:
        return False
    if any(map(_is_apart, (function, other))):
        return False
    if left.first.locks & left.last.locks & found.first.locks:
        return False
    meetings = Meetings(program)
    if program.shared.why(owner) is not None and not meetings.may_meet(owner, function, other):
        return False
    return not meetings.are_called_on_loops(function, other)
