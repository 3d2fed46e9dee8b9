"""`with` blocks around something that is closed at their end, and the names it has inside."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.rules.awaiting.resource_parts import parts_of, paths_below
from racehound.source.events import SELF, Acquire, Bind, Call, Event, Pause, Place, Release, Shape, Span, Value
from racehound.source.facts import FunctionFacts

_NO_RESOURCE = ("lock", "timeout", "group", "nursery", "semaphore", "suppress", "span", "limit", "scope")
_STACKS = frozenset({"AsyncExitStack", "ExitStack"})
_ENTERING = frozenset({"enter_async_context", "enter_context"})
_DIRECTORIES = frozenset({"TemporaryDirectory"})
_TRANSACTIONS = frozenset({"transaction", "begin", "begin_nested", "atomic", "savepoint"})
_PARTS = 4


class Block(NamedTuple):
    begin: int
    end: int
    names: frozenset[str]
    """Local variables that stand for the resource, or for a part of it."""
    text: str
    span: Span
    place: Place | None = None
    """The resource, where it had a name before the block."""
    is_directory: bool = False
    """What is closed is a directory, with all paths in it."""


def closing_blocks(function: FunctionFacts) -> Iterator[Block]:
    for begin, event in enumerate(function.events):
        if isinstance(event, Acquire):
            name = _name(event.value)
            found = _stacked(function, begin, event) if "stack" in name.lower() else _of(function, begin, event)
            if name and found is not None:
                yield found


def _of(function: FunctionFacts, begin: int, entered: Acquire) -> Block | None:
    text, value = _name(entered.value), entered.value
    if _is_no_resource(text):
        return None
    names = _bound(function, begin, value)
    place = value.place if value.shape is Shape.PLACE else None
    if place is not None and place.root != SELF and not place.attributes:
        names.add(place.root)
    names.update(_in_transaction(value))
    end = _end(function, begin, entered) if names or place is not None else None
    if end is None:
        return None
    text = min(names) if len(names) == 1 else text
    parts = parts_of(function, (begin, end), names)
    is_directory = value.name in _DIRECTORIES
    if is_directory:
        parts = paths_below(function, (begin, end), parts)
    return Block(begin, end, parts, text, entered.span, place, is_directory)


def _in_transaction(value: Value) -> Iterator[str]:
    """`async with connection.transaction():` ends what is done by way of the connection."""
    if value.shape is not Shape.CALL or value.name not in _TRANSACTIONS or value.place is None:
        return
    if value.place.root != SELF and value.place.attributes == (value.name,):
        yield value.place.root


def _stacked(function: FunctionFacts, begin: int, entered: Acquire) -> Block | None:
    """What is entered through a stack is closed with it, unless somebody takes it over."""
    names = _bound(function, begin, entered.value)
    end = _end(function, begin, entered) if names and entered.value.name in _STACKS else None
    if end is None:
        return None
    inside = function.events[begin:end]
    if any(isinstance(event, Call) and event.method == "pop_all" for event in inside):
        return None
    entries = [name for before, event in itertools.pairwise(inside) for name in _entry(before, event, names)]
    parts = parts_of(function, (begin, end), entries)
    return Block(begin, end, parts, min(entries), entered.span) if entries else None


def _entry(before: Event, event: Event, stacks: set[str]) -> Iterator[str]:
    """The name for what the stack enters: `client = await stack.enter_async_context(Client())`."""
    if not isinstance(event, Bind):
        return
    for value in (*event.values, before.value) if isinstance(before, Pause) else event.values:
        by_stack = value.name in _ENTERING and value.place is not None and value.place.root in stacks
        if by_stack and not any(_is_no_resource(_name(given)) for given in value.arguments[:1]):
            yield event.name


def _is_no_resource(text: str) -> bool:
    return not text or any(word in text.lower() for word in _NO_RESOURCE)


def _end(function: FunctionFacts, begin: int, entered: Acquire) -> int | None:
    for index in range(begin, len(function.events)):
        event = function.events[index]
        if isinstance(event, Release) and event.value == entered.value and is_inside(entered.span, event.span):
            return index
    return None


def _bound(function: FunctionFacts, begin: int, value: Value) -> set[str]:
    """Names that `as` gives to what is entered, or to its parts: `as (reader, writer)`."""
    later = [event for event in function.events[begin + 1 : begin + 2 + _PARTS] if not isinstance(event, Pause)]
    binds = list(itertools.takewhile(lambda event: isinstance(event, Bind), later))
    names = [event for event in binds if isinstance(event, Bind)]
    if names and value in names[0].values:
        return {names[0].name}
    return {event.name for event in names if not event.values} if len(names) > 1 else set()


def _name(value: Value) -> str:
    return value.name or ("" if value.place is None else str(value.place))
