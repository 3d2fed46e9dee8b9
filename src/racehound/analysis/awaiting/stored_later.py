"""What a coroutine reads, and has others store after an await: `seen = self.total`, `self._put(seen + 1)`."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.calls import is_inherited
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import CHANGES, SELF, Action, Call, Exit, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_WRITES = frozenset({Action.WRITE, Action.WRITE_ITEM})
_Spot: TypeAlias = tuple[ModuleFacts | None, Place]
"""A place, and where it is one of a module, that module: others may call it by another name."""


class StoredLater(NamedTuple):
    read: Use
    store: Use
    """As a store of the coroutine, where it calls the one that stores."""
    pause: int
    is_put_back: bool
    """What was read is stored as it was."""
    owner: ClassFacts | ModuleFacts
    field: str
    uses: list[Use]
    """All of the field that are known, this store before all others."""


class _Store(NamedTuple):
    place: Place
    key: str | None
    sources: tuple[int, ...]
    value: Value
    module: ModuleFacts


def stored_later(program: Program, function: FunctionFacts) -> Iterator[StoredLater]:
    """Reads with an await behind them, and the calls that store what was made of them in the same place."""
    paths = program.awaits.paths(function) if function.passed else None
    for at in function.passed if paths is not None else ():
        call = function.events[at]
        for store in _stores(program, function, at, call) if isinstance(call, Call) else ():
            for source in store.sources:
                pause = paths.pause_between(source, at) if paths is not None else None
                if pause is not None and _is_read(program, function, source, store):
                    yield _crossing(program, function, (source, at, pause), store)


def _crossing(
    program: Program, function: FunctionFacts, indices: tuple[int, int, int], store: _Store
) -> StoredLater:
    source, at, pause = indices
    read, written = (
        Use(
            function=function,
            index=index,
            touch=Touch(store.place, action, event.span, store.key),
            locks=program.locksets.at(function, index),
            changes=action is Action.WRITE,
        )
        for index, action in ((source, Action.READ), (at, Action.WRITE))
        if isinstance(event := function.events[index], Touch | Call)
    )
    owner, field = _field(program, function, store)
    known = program.fields.of_class(owner) if isinstance(owner, ClassFacts) else program.fields.of_module(owner)
    uses = [written, *known.get(field, ())]
    return StoredLater(read, written, pause, store.value.place == store.place, owner, field, uses)


def _field(program: Program, function: FunctionFacts, store: _Store) -> tuple[ClassFacts | ModuleFacts, str]:
    if store.place.root == SELF and function.owner is not None:
        return function.owner, ".".join(store.place.attributes)
    module, place = _spot(program, store.module, store.place)
    return module or function.module, str(place)


def _stores(program: Program, function: FunctionFacts, at: int, call: Call) -> Iterator[_Store]:
    target = program.calls.target(function, call)
    if target is None:
        yield from _updates(function, at, call)
        return
    sources = dict(zip((name for name, _ in given(target, call)), function.passed[at], strict=False))
    values = dict(given(target, call))
    for index, touch in enumerate(target.events) if not target.holds.isdisjoint(_WRITES) else ():
        name = _parameter(touch, values)
        if name is None or not sources.get(name) or not isinstance(touch, Touch):
            continue
        place = _seen_by_caller(target, touch.place, call, values)
        if place is not None and not _looks_first(target, index, touch):
            module = target.module if touch.place.root in target.module.variables else function.module
            yield _Store(place, _key_seen_by_caller(touch, values), sources[name], values[name], module)


def _updates(function: FunctionFacts, at: int, call: Call) -> Iterator[_Store]:
    """`totals.update(bytes=size)`, for each of the items."""
    place = call.receiver.place if call.receiver is not None and call.method == "update" else None
    named = call.keywords if place is not None else ()
    behind = function.passed[at][len(call.arguments) :]
    for (name, value), sources in zip(named, behind, strict=False):
        if place is not None and sources:
            for quote in "\"'":
                yield _Store(place, f"[{quote}{name}{quote}]", sources, value, function.module)


def _parameter(event: object, values: dict[str, Value]) -> str | None:
    """The parameter that is written as it is."""
    if not isinstance(event, Touch) or event.action not in _WRITES:
        return None
    places = (value.place for value in event.values if value.shape is Shape.PLACE and value.place is not None)
    return next((place.root for place in places if not place.attributes and place.root in values), None)


def _seen_by_caller(target: FunctionFacts, place: Place, call: Call, values: dict[str, Value]) -> Place | None:
    """What the one who is called writes, in the words of the one who calls."""
    if place.root == SELF:
        base = _object_of(call) if target.is_method else None
    elif place.root in target.parameters:
        value = values.get(place.root)
        base = value.place if value is not None and value.shape is Shape.PLACE else None
    else:
        return place if place.root in target.module.variables else None
    return None if base is None else Place(base.root, base.attributes + place.attributes)


def _key_seen_by_caller(store: Touch, values: dict[str, Value]) -> str | None:
    value = values.get(store.key[1:-1]) if store.key is not None else None
    return f"[{value.place}]" if value is not None and value.shape is Shape.PLACE else store.key


def _object_of(call: Call) -> Place | None:
    if is_inherited(call):
        return Place(SELF)
    return None if call.callee is None else Place(call.callee.root, call.callee.attributes[:-1])


def _looks_first(target: FunctionFacts, index: int, store: Touch) -> bool:
    """True for `if self.version == old: self.version = new`: whoever stores sees what others have stored."""
    before = (event for event in target.events[:index] if isinstance(event, Touch))
    return any(event.place == store.place and event.action not in CHANGES for event in before)


def _is_read(program: Program, function: FunctionFacts, source: int, store: _Store) -> bool:
    """True if what was seen there is what is stored."""
    wanted = _spot(program, store.module, store.place)
    event = function.events[source]
    seen = list(_answers(program, function, event)) if store.key is None else []
    if isinstance(event, Touch) and event.action not in CHANGES and event.key == store.key:
        seen.append(event.place)
    return any(_spot(program, function.module, place) == wanted for place in seen)


def _answers(program: Program, function: FunctionFacts, event: object) -> Iterator[Place]:
    """What a property, or a method that is asked, gives: `return self._balance`."""
    if isinstance(event, Touch):
        for base, helper in program.calls.properties(function, event.place):
            yield from _returned(helper, base)
    elif isinstance(event, Call):
        target, on = program.calls.target(function, event), _object_of(event)
        if target is not None and target.is_method and not target.is_async and on is not None:
            yield from _returned(target, on)


def _returned(helper: FunctionFacts, base: Place) -> Iterator[Place]:
    answers = (event.value for event in helper.events if isinstance(event, Exit))
    for found in (value.place for value in answers if value.shape is Shape.PLACE):
        if found is not None and found.root == SELF and found.attributes:
            yield Place(base.root, base.attributes + found.attributes)


def _spot(program: Program, module: ModuleFacts, place: Place) -> _Spot:
    found = program.kinds.variable(module, place)
    if found is not None:
        return found.module, Place(found.name, found.attributes)
    return (module if place.root in module.variables else None), place
