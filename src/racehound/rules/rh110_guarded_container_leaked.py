"""A container that a lock guards is handed out, and the lock stays behind.

`with self._lock: return self._items` guards the look-up of a name, which needs no guard. The caller goes over the
very container that other threads change under the lock, and holds nothing itself.

Return a copy: `return list(self._items)`.
"""

from collections.abc import Iterator

from racehound.analysis.locking.locksets import is_private
from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.program import Program
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.analysis.state.filled_first import is_filled_first
from racehound.analysis.state.meeting import Meetings
from racehound.model.finding import Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.source.events import SELF, Action, Exit, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_VIEWS = frozenset({"items", "keys", "values"})
_RESIZING = frozenset({Action.MUTATE, Action.WRITE_ITEM, Action.DELETE})


class GuardedContainerLeaked(Rule):
    meta = RuleMeta(
        code="RH110",
        name="guarded-container-leaked",
        summary="`{function}` hands out `{target}` itself, which `{other}` changes under `{lock}`",
        severity=Severity.WARNING,
        race_type="Leaked State",
        impact="Callers use the container without the lock: RuntimeError while they iterate, or half a change.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Registry:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._services = {}

                def add(self, name, service):
                    with self._lock:
                        self._services[name] = service

                def services(self):
                    with self._lock:
                        return self._services.values()  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class Registry:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._services = {}

                def add(self, name, service):
                    with self._lock:
                        self._services[name] = service

                def services(self):
                    with self._lock:
                        return list(self._services.values())
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if program.locks.owned(owner):
                for function in program.hierarchy.functions(owner):
                    if function.is_method and not is_private(function):
                        yield from self._returns(program, owner, function)

    def _returns(self, program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[Finding]:
        for index, event in enumerate(function.events):
            if not isinstance(event, Exit) or event.kind != "return":
                continue
            value = _gone_over(_given(function, event.value))
            place = _handed_out(value)
            if place is None:
                continue
            uses = program.fields.of_class(owner).get(place.attributes[0], [])
            leak = _leak(uses, function, index)
            held = leak.locks if leak is not None else 0
            resizing = [use for use in uses if use.locks & held and use.touch.action in _RESIZING and use.changes]
            changes = [use for use in resizing if not is_filled_first(program.locksets, use, uses)]
            kinds = program.kinds.field(owner, place.attributes[0])
            known = _is_view(value) or kinds & CONTAINERS
            if leak is not None and changes and known and not kinds & _BYTES:
                yield self._accuse(program, owner, place.attributes[0], (leak, changes[0]))

    def _accuse(self, program: Program, owner: ClassFacts, field: str, pair: tuple[Use, Use]) -> Finding:
        leak, change = pair
        uses = program.fields.of_class(owner)[field]
        lock = str(program.locksets.named(leak.locks & change.locks)[0])
        target, function, other = f"self.{field}", leak.function.name, change.function.name
        accusation = Accusation(
            owner=owner,
            field=field,
            first=leak,
            second=change,
            trigger=(
                f"A caller of `{function}` goes over what it got, without `{lock}`; another thread is in "
                f"`{other}`, which {change.touch.action.value} the same container."
            ),
            confidence=Meetings(program).certainty(owner, leak.function, change.function, uses),
            grade=Grade.GIL,
            others=functions(uses),
            lock=lock,
            remedy=f"Return a copy that is taken under `{lock}`: `return {target}.copy()`.",
        )
        return self.accuse(program, accusation, function=function, target=target, other=other, lock=lock)


_LAZY = frozenset({"enumerate", "iter", "reversed"})

_BYTES = frozenset({"bytearray"})
"""Read in one step, as a rule, and a loop over them does not mind that they grow."""


def _given(function: FunctionFacts, value: Value) -> Value:
    """What a local variable was given, where that happens once."""
    name = value.place.root if value.shape is Shape.PLACE and value.place and not value.place.attributes else ""
    given = function.bindings.get(name, ())
    return given[0] if len(given) == 1 and name not in function.parameters else value


def _leak(uses: list[Use], function: FunctionFacts, index: int) -> Use | None:
    """The last look before the function returns: by it the container gets out, and a lock is held there."""
    before = [use for use in uses if use.function is function and use.index < index]
    looks = [use for use in before if not use.changes]
    if not looks or not looks[-1].locks:
        return None
    replaced = any(use.touch.action is Action.WRITE and use.index > looks[-1].index for use in before)
    return None if replaced else looks[-1]


def _gone_over(value: Value) -> Value:
    """What `iter(self._items.values())` goes over, step by step, when the caller asks."""
    is_lazy = value.shape is Shape.CALL and value.place is not None and str(value.place) in _LAZY
    return _gone_over(value.arguments[0]) if is_lazy and value.arguments else value


def _handed_out(value: Value) -> Place | None:
    """The field that a returned value is, or is a view of."""
    place = value.place
    if place is None or place.root != SELF:
        return None
    if value.shape is Shape.PLACE and len(place.attributes) == 1:
        return place
    return Place(SELF, place.attributes[:1]) if _is_view(value) else None


def _is_view(value: Value) -> bool:
    """True for `self._items.keys()`, which goes on showing what is in the container."""
    names = value.place.attributes if value.shape is Shape.CALL and value.place is not None else ()
    return len(names) == 2 and names[1] in _VIEWS
