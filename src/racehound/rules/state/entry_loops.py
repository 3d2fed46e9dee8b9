"""Loops over a set or a dict that is an entry of a shared container: `for listener in self._listeners[topic]`."""

from collections.abc import Iterator, Sequence
from itertools import product

from racehound.analysis.program import Program
from racehound.analysis.state.discipline import runs_once
from racehound.analysis.state.fields import Use
from racehound.analysis.state.keys import are_other_entries
from racehound.analysis.state.meeting import Owner
from racehound.rules.state.resizing import is_read_before
from racehound.source.events import (
    EACH,
    EACH_VALUE,
    ITEM,
    Action,
    Bind,
    Call,
    Event,
    Flow,
    Place,
    Shape,
    Span,
    Touch,
    Value,
)
from racehound.source.expressions import RESIZERS
from racehound.source.facts import ClassFacts, FunctionFacts

_OF_SETS = frozenset({"add", "discard", "difference_update", "intersection_update", "symmetric_difference_update"})
_VIEWS = frozenset({"items", "keys", "values"})
_TAKING = frozenset({"get", "setdefault"})
_DEEPER = "]["


def entry_loops(program: Program, owner: Owner, field: str, uses: Sequence[Use]) -> Iterator[tuple[Use, Use]]:
    """Each loop with the changes of entries that are made without a lock that it holds."""
    loops = [loop for use in uses for loop in _loops(program, use)]
    changes = [change for use in uses for change in _changes(program, use)] if loops else []
    made = (
        [*_made_as(program, owner, field), *(value for use in uses for value in _stored(use))] if changes else []
    )
    are_lists = not any(map(_is_table, made)) and not any(map(_is_of_a_table, (*loops, *changes)))
    if are_lists:  # which do not raise
        return
    for loop, change in product(loops, changes):
        if loop.locks & change.locks or are_other_entries(loop.touch.key, _top(change.touch.key)):
            continue
        if not runs_once(change.function) and not is_read_before(change):
            yield loop, change


def _is_of_a_table(use: Use) -> bool:
    """True for a step that only sets or dicts have."""
    return use.touch.method in _OF_SETS | _VIEWS


def _made_as(program: Program, owner: Owner, field: str) -> Iterator[Value]:
    """What `defaultdict(set)` makes of itself."""
    if isinstance(owner, ClassFacts):
        values = [value for _, value in program.kinds.field_values(owner, field)]
    else:
        values = list(owner.variables.get(field, ()))
    for value in values:
        yield from (Value(Shape.CONTAINER, str(item.place)) for item in value.arguments if item.place is not None)


def _stored(use: Use) -> Iterator[Value]:
    """What entries are made as."""
    touch, events = use.touch, use.function.events
    if touch.action is Action.WRITE_ITEM and _DEEPER not in (touch.key or ""):
        yield from touch.values
    index = _call_at(events, use.index, touch.span) if touch.method == "setdefault" else None
    call = None if index is None else events[index]
    yield from call.arguments[1:] if isinstance(call, Call) else ()


def _is_table(value: Value) -> bool:
    made = value.shape is Shape.CONTAINER or value.shape is Shape.CALL
    return made and value.name in {"dict", "set", "defaultdict", "OrderedDict"}


def _top(key: str | None) -> str | None:
    return None if key is None else key.partition(_DEEPER)[0].rstrip("]") + "]"


def _loops(program: Program, use: Use) -> Iterator[Use]:
    touch = use.touch
    if touch.action not in {Action.READ, Action.CHECK} or touch.key is None or _DEEPER in touch.key:
        return
    if touch.method not in {"", "get"}:
        return
    events = use.function.events
    after = _behind_value(events, use)
    if _is_answer(events[after - 1], touch):
        return
    if events[after : after + 1] == [Flow.LOOP] or events[after : after + 2] == [Flow.FORK, Flow.LOOP]:
        last = events[after - 1]
        yield _at(program, use, after, Action.ITERATE, last.method if isinstance(last, Call) else "")
    for name in _named(use, events[after : after + 1]):
        for index, event in enumerate(events[after + 1 :], after + 1):
            if isinstance(event, Bind) and any(_is_each_of(value, name) for value in event.values):
                view = "values" if any(value.name == EACH_VALUE for value in event.values) else ""
                yield _at(program, use, index, Action.ITERATE, view)


def _is_answer(last: Event, touch: Touch) -> bool:
    """True for what a method of the entry gives: `self._listeners[topic].copy()`."""
    return isinstance(last, Call) and last.span == touch.span and last.method not in {*_VIEWS, "get"}


def _changes(program: Program, use: Use) -> Iterator[Use]:
    touch, events = use.touch, use.function.events
    if touch.key is None:
        return
    if touch.action in {Action.WRITE_ITEM, Action.DELETE} and touch.key.count(_DEEPER) == 1:
        yield use
        return
    if touch.action is Action.MUTATE and touch.method == ITEM and _DEEPER not in touch.key:
        yield from _done_to(program, use, _call_at(events, use.index, touch.span))
    elif touch.method in {*_TAKING, ""} and touch.action in {Action.MUTATE, Action.READ}:
        after = _behind_value(events, use)
        yield from _done_to(program, use, after, _MADE)
        for name in _named(use, events[after : after + 1]):
            for index in range(after + 1, len(events)):
                yield from _done_to(program, use, index, name)


_MADE = ""
"""In place of a name: what a call has just given."""


def _done_to(program: Program, use: Use, index: int | None, name: str | None = None) -> Iterator[Use]:
    """A call that changes the size of the entry: of a subscript, of what `setdefault` gives, of a local name."""
    event = use.function.events[index] if index is not None and index < len(use.function.events) else None
    if index is None or not isinstance(event, Call) or event.method not in RESIZERS:
        return
    if name == _MADE and (event.receiver is None or event.receiver.name != "setdefault"):
        return
    if name and event.callee != Place(name, (event.method,)):
        return
    yield _at(program, use, index, Action.MUTATE, event.method, event.span)


def _behind_value(events: Sequence[Event], use: Use) -> int:
    """The index behind all that belongs to the expression: its key, its call, a view of what it gives."""
    index = use.index + 1
    while index < len(events) and _is_within(events[index], use.touch.span):
        index += 1
    event = events[index] if index < len(events) else None
    if isinstance(event, Call) and event.method in _VIEWS and event.span[:2] == use.touch.span[:2]:
        index += 1
    return index


def _is_within(event: Event, span: Span) -> bool:
    own = getattr(event, "span", None)
    return own is not None and span[:2] <= own[:2] and own[2:] <= span[2:]


def _call_at(events: Sequence[Event], start: int, span: Span) -> int | None:
    found = (index for index in range(start + 1, len(events)) if getattr(events[index], "span", None) == span)
    return next((index for index in found if isinstance(events[index], Call)), None)


def _named(use: Use, following: Sequence[Event]) -> Iterator[str]:
    """The one local name that the entry is given."""
    for event in following:
        if isinstance(event, Bind) and not event.is_of_loop and len(_given(use.function, event.name)) == 1:
            yield event.name


def _given(function: FunctionFacts, name: str) -> list[Value]:
    return function.bindings.get(name, [])


def _is_each_of(value: Value, name: str) -> bool:
    is_item = value.shape is Shape.OTHER and value.name in {EACH, EACH_VALUE}
    return is_item and bool(value.arguments) and value.arguments[0].place == Place(name)


def _at(program: Program, use: Use, index: int, action: Action, method: str = "", span: Span | None = None) -> Use:
    touch = use.touch._replace(action=action, method=method, span=span or use.touch.span)
    locks = program.locksets.at(use.function, index)
    return use._replace(index=index, touch=touch, locks=locks, changes=action is not Action.ITERATE)
