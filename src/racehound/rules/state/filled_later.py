"""Objects that are made late, and into which whoever asked for them then puts something.

Made twice, one of the two is lost with all that was put into it.
"""

import re
from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.hazards import ADDERS, stored
from racehound.rules.state.creation import Creation
from racehound.source.events import MEMBER, SELF, Action, Bind, Call, Exit, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_CACHE = re.compile(r"cache|memo|pool|buffer", re.IGNORECASE)
"""What is lost of these is made again."""
_MAKERS = frozenset({"dict", "list", "set", "deque", "OrderedDict", "defaultdict", "Counter"})
_STORES = ADDERS | {"__setitem__"}


def is_filled_later(program: Program, found: Creation) -> bool:
    function = found.gap.function
    made = list(_made(program, found))
    if not made or _CACHE.search(found.field) or any(_CACHE.search(item.name) for item in made):
        return False
    fields = {name for item in made for name in _kept(program, item)}
    methods = {method for item in made for method in _adding(program, item, fields)}
    return any(_fills(caller.function, function.name, methods, fields) for caller in program.callers.of(function))


def _made(program: Program, found: Creation) -> Iterator[ClassFacts]:
    act = found.gap.act.use
    for value in stored(act):
        given = [(act.function, value), *_given_by_heirs(program, act.function, value)]
        kinds = (kind for function, item in given for kind in program.kinds.value(function, item))
        yield from (kind for kind in kinds if isinstance(kind, ClassFacts))


def _given_by_heirs(
    program: Program, function: FunctionFacts, value: Value
) -> Iterator[tuple[FunctionFacts, Value]]:
    """What `self._build()` gives where a derived class says what is built."""
    place, owner = value.place, function.owner
    if value.shape is not Shape.CALL or place is None or owner is None:
        return
    if place.root == SELF and len(place.attributes) == 1:
        for method in program.hierarchy.overriding(owner, place.attributes[0]):
            exits = (event for event in method.events if isinstance(event, Exit) and event.kind == "return")
            yield from ((method, event.value) for event in exits)


def _kept(program: Program, made: ClassFacts) -> Iterator[str]:
    """Containers that are empty when the object is made."""
    for base in program.hierarchy.linear(made):
        start = base.methods.get("__init__")
        for event in start.events if start is not None else ():
            if type(event) is Touch and event.action is Action.WRITE and any(map(_is_empty, event.values)):
                yield from event.place.attributes if event.place.root == SELF else ()
        yield from (name for name, values in base.attributes.items() if any(map(_is_made_empty, values)))


def _is_made_empty(value: Value) -> bool:
    """True for `topics: dict = field(default_factory=dict)`."""
    return any(word == "default_factory" and item.place in _EMPTY for word, item in value.keywords)


_EMPTY = {Place(name) for name in ("dict", "list", "set", "deque")}


def _is_empty(value: Value) -> bool:
    if value.shape is Shape.CALL:
        return value.name in _MAKERS
    return value.shape is Shape.CONTAINER and not value.arguments and value.name != "tuple"


def _adding(program: Program, made: ClassFacts, fields: set[str]) -> Iterator[str]:
    """Methods that put what they are given into one of them."""
    for function in program.hierarchy.effective(made):
        is_given = function.name != "__init__" and len(function.parameters) > 1
        if is_given and any(_adds(event, fields) for event in function.events):
            yield function.name


def _adds(event: object, fields: set[str]) -> bool:
    if type(event) is not Touch or event.place.root != SELF or event.place.attributes[:1] == ():
        return False
    return event.place.attributes[0] in fields and (
        event.action is Action.WRITE_ITEM or event.method in ADDERS or event.method == "[]"
    )


def _fills(caller: FunctionFacts, accessor: str, methods: set[str], fields: set[str]) -> bool:
    """True for `broker().subscribe(...)`, `broker().topics[name] = ...`, and the same by a local name."""
    names = {
        event.name
        for event in caller.events
        if type(event) is Bind and any(_is_call(value, accessor) for value in event.values)
    }
    return any(
        _puts(event.receiver, event.callee, event.method, (accessor, names), methods, fields)
        for event in caller.events
        if type(event) is Call
    )


def _puts(
    receiver: Value | None,
    callee: Place | None,
    method: str,
    known: tuple[str, set[str]],
    methods: set[str],
    fields: set[str],
) -> bool:
    accessor, names = known
    if callee is not None and callee.root in names:
        below = callee.attributes[:-1]
        return method in methods if not below else below[0] in fields and method in _STORES
    if receiver is None:
        return False
    if _is_call(receiver, accessor):
        return method in methods
    is_field = receiver.name.startswith(MEMBER) and receiver.name[1:] in fields
    return is_field and method in _STORES and any(_is_call(value, accessor) for value in receiver.arguments)


def _is_call(value: Value, name: str) -> bool:
    return value.shape is Shape.CALL and value.name == name
