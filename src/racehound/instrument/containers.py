"""Which part of a built-in container a method reads or writes.

A method that is not listed counts as a write to the whole: a wrong guess may only cost executions.
"""

import collections
import gc
from collections.abc import Hashable

from racehound.engine.execution import Execution
from racehound.engine.operation import SHAPE, WHOLE, Effect, Kind

READERS = frozenset(
    [
        "__contains__",
        "__eq__",
        "__ge__",
        "__getitem__",
        "__gt__",
        "__iter__",
        "__le__",
        "__len__",
        "__lt__",
        "__ne__",
        "__repr__",
        "__reversed__",
        "__add__",
        "__and__",
        "__mul__",
        "__or__",
        "__rand__",
        "__ror__",
        "__rsub__",
        "__rxor__",
        "__sub__",
        "__xor__",
        "__sizeof__",
        "__str__",
        "copy",
        "count",
        "difference",
        "get",
        "index",
        "intersection",
        "isdisjoint",
        "issubset",
        "issuperset",
        "symmetric_difference",
        "union",
        "decode",
        "find",
        "hex",
        "endswith",
        "startswith",
        "join",
        "split",
        "strip",
        "tobytes",
        "tolist",
    ]
)
VIEW_MAKERS = frozenset({"keys", "values", "items"})
KEYED = frozenset({"get", "__getitem__", "__contains__", "pop", "setdefault", "__setitem__", "__delitem__"})

EXACT_KEYS = (str, int, float, bool, bytes, type(None))


def part_of(key: object) -> Hashable:
    """The part of a dictionary that a key names; keys with equality of their own may be any part."""
    if isinstance(key, tuple):
        return key if all(type(item) in EXACT_KEYS for item in key) else WHOLE
    return key if type(key) in EXACT_KEYS else WHOLE


def read_item(execution: Execution, container: object, key: object) -> tuple[Effect, ...]:
    if isinstance(container, collections.defaultdict) and key not in container:
        return write_item(execution, container, key)
    part = part_of(key) if isinstance(container, dict) else WHOLE
    return (Effect(execution.number(container), part, writes=False),)


def write_item(execution: Execution, container: object, key: object) -> tuple[Effect, ...]:
    number = execution.number(container)
    part = part_of(key) if isinstance(container, dict) else WHOLE
    if part is WHOLE:
        return (Effect(number, WHOLE, writes=True),)
    return Effect(number, part, writes=True), Effect(number, SHAPE, writes=True)


def read_whole(execution: Execution, container: object) -> tuple[Effect, ...]:
    return (Effect(execution.number(container), WHOLE, writes=False),)


def call_effects(
    execution: Execution, container: object, method: str, args: tuple[object, ...]
) -> tuple[Kind, tuple[Effect, ...]]:
    """The effects of calling a built-in method of a container."""
    keyed = isinstance(container, dict) and method in KEYED and bool(args)
    if method in READERS:
        effects = read_item(execution, container, args[0]) if keyed else read_whole(execution, container)
        return Kind.READ, effects
    if keyed:
        return Kind.WRITE, write_item(execution, container, args[0])
    return Kind.WRITE, (Effect(execution.number(container), WHOLE, writes=True),)


def underlying(view: object) -> object:
    """The dictionary behind a view of it."""
    return next(item for item in gc.get_referents(view) if isinstance(item, dict))


def nested(container: object, *, limit: int = 200) -> list[object]:
    """The container and the built-in containers inside it, each once."""
    found: list[object] = []
    seen: set[int] = set()
    queue = [container]
    while queue and len(found) < limit:
        current = queue.pop()
        if id(current) in seen or not isinstance(
            current, dict | list | set | tuple | frozenset | collections.deque
        ):
            continue
        seen.add(id(current))
        found.append(current)
        queue.extend(current.values() if isinstance(current, dict) else current)
    return found
