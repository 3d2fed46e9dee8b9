"""Events and conditions of an object, and fields that are stored when others have been told already."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import ADDERS
from racehound.source.events import SELF, Action, Call
from racehound.source.facts import ClassFacts, FunctionFacts

_TOLD = frozenset({"set", "notify", "notify_all", "notifyAll"})
_WAITS = frozenset({"wait", "wait_for"})
_KINDS = frozenset({"threading.Event", "threading.Condition"})
_MADE = frozenset({"Event", "Condition"})


class Signal(NamedTuple):
    """A call on an event or a condition that the object has."""

    function: FunctionFacts
    index: int  # type: ignore[assignment]  # hides a method of tuples that nobody needs here
    call: Call
    name: str


class Late(NamedTuple):
    told: Signal
    store: Use
    """Comes after it, in the same function."""
    waiting: Signal
    """Where another function waits for the signal, or, after a look at what is stored, gives it again."""
    look: Use


def late_stores(program: Program, owner: ClassFacts) -> Iterator[Late]:
    made = (item.module.callers.keys() & _MADE for item in program.hierarchy.linear(owner))
    signals = list(_signals(program, owner)) if any(made) else []
    if not signals:
        return
    fields = program.fields.of_class(owner)
    for told in signals:
        if told.call.method in _TOLD | {"clear"}:
            for uses in fields.values():
                store = _store_after(program, told, uses)
                waiting = None if store is None else _heard(program, told, signals, uses)
                if store is not None and waiting is not None:
                    yield Late(told, store, *waiting)


def _signals(program: Program, owner: ClassFacts) -> Iterator[Signal]:
    for function in program.hierarchy.effective(owner):
        for method in (*_TOLD, *_WAITS, "clear"):
            for index, call in function.calls_of(method):
                root, attributes = call.callee if call.callee is not None else ("", ())
                if root == SELF and len(attributes) > 1 and program.kinds.field(owner, attributes[0]) & _KINDS:
                    yield Signal(function, index, call, attributes[0])


def _store_after(program: Program, told: Signal, uses: list[Use]) -> Use | None:
    """The only store of a field by the function, behind what tells others of it."""
    own = [use for use in uses if use.function is told.function]
    stores = [use for use in own if use.changes and _is_store(use)]
    if len(stores) != 1 or is_constructor(told.function):
        return None
    store = stores[0]
    held = program.locksets.at(told.function, told.index)
    after = program.awaits.paths(told.function).reaches(told.index, store.index)
    return store if after and not held & store.locks else None


def _is_store(use: Use) -> bool:
    """True for a value that is put there, as a whole or as one more item."""
    return use.touch.action in {Action.WRITE, Action.WRITE_ITEM} or use.touch.method in ADDERS


def _heard(program: Program, told: Signal, signals: list[Signal], uses: list[Use]) -> tuple[Signal, Use] | None:
    for signal in signals:
        other = signal.function
        if signal.name != told.name or outer_method(other) is outer_method(told.function):
            continue
        looks = [use for use in uses if use.function is other and not use.changes]
        if told.call.method == "clear":
            paths = program.awaits.paths(other)
            looks = [use for use in looks if paths.decided_by(use.index, signal.index)]
            found = looks[0] if looks and signal.call.method == "set" else None
        else:
            after = [use for use in looks if use.index > signal.index or _is_in_loop(signal)]
            found = after[0] if after and signal.call.method in _WAITS else None
        if found is not None:
            return signal, found
    return None


def _is_in_loop(signal: Signal) -> bool:
    """True if what stands before the wait comes after it as well."""
    return signal.call.loop > 0
