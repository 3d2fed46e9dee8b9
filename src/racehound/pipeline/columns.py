"""What was collected of a module, taken apart into columns of plain values, and put together again.

A million lines make several hundred thousand events, each a named tuple with a span that is one, too; to pickle
each of these by itself takes most of the time. So the events of a module are written kind by kind and field by
field: all spans of a kind as one string of bytes, all names as one tuple. Functions and classes refer to each
other by their numbers. Sets are written in an order of their own: equal facts are equal columns, whatever the
seed of hashing.
"""

import functools
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from operator import attrgetter
from typing import Any, TypeAlias

from racehound.source import events
from racehound.source.events import Event, Flow, Span
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

Columns: TypeAlias = list[Any]

_make = tuple.__new__
_FLOWS = tuple(Flow)
_KINDS: tuple[type[tuple[Any, ...]], ...] = (
    *(events.Touch, events.Acquire, events.Release, events.Call, events.Bind, events.Pause, events.Resize),
    *(events.Decision, events.Exit),
)
_KIND_CODES: dict[type, int] = {kind: code for code, kind in enumerate(_KINDS)}
_FLOW_CODES = {id(flow): code for code, flow in enumerate(_FLOWS, len(_KINDS))}
_NUMBERS = "i"

_SETS = ("bound", "shared_names", "discarded")
_OTHERS = ("module", "owner", "parent", "span", "events", "holds", "_calls", *_SETS)
_AS_THEY_ARE = tuple(name for name in FunctionFacts.__slots__ if name not in _OTHERS)
_OF_CLASSES = ("name", "qualified_name", "bases", "claims_thread_safety", "decorators", "attributes")
_OF_MODULES = (
    "path",
    "imports",
    "variables",
    "suppressions",
    "declarations",
    "claims_thread_safety",
    "claims_processes",
    "_measure",
)
_NONE: set[Any] = set()
"""One for all functions that have none: nobody adds to facts."""


def columns_of(module: ModuleFacts) -> Columns:
    functions, classes = module.functions, module.classes
    numbers = {id(item): number for number, item in enumerate(chain(functions, classes))}
    return [
        [getattr(module, name) for name in _OF_MODULES],
        {name: [numbers[id(item)] for item in items] for name, items in module.callers.items()},
        [_column(classes, name) for name in _OF_CLASSES],
        _numbers(_column(classes, "span")),
        [{name: numbers[id(item)] for name, item in owner.methods.items()} for owner in classes],
        [_column(functions, name) for name in _AS_THEY_ARE],
        _numbers(_column(functions, "span")),
        [[numbers[id(item)] if item is not None else -1 for item in _column(functions, name)] for name in _ABOVE],
        [[tuple(sorted(found)) if found else () for found in _column(functions, name)] for name in _SETS],
        [_in_order(holds) for holds in _column(functions, "holds")],
        *_columns_of_events([function.events for function in functions]),
    ]


_ABOVE = ("owner", "parent")


def module_of(columns: Columns) -> ModuleFacts:
    """The inverse; what is no such list raises one of the usual errors."""
    own, callers, of_classes, class_spans, methods, of_functions, spans, above, sets, holds, *rest = columns
    module = ModuleFacts(text="", **dict(zip(_OF_MODULES, own, strict=True)))
    functions = [FunctionFacts.__new__(FunctionFacts) for _ in holds]
    classes = [ClassFacts.__new__(ClassFacts) for _ in methods]
    parts: list[FunctionFacts | ClassFacts] = [*functions, *classes]
    for name, column in zip(_OF_CLASSES, of_classes, strict=True):
        _fill(classes, name, column)
    _fill(classes, "span", _spans(class_spans))
    _fill(classes, "methods", [{name: parts[at] for name, at in found.items()} for found in methods])
    for name, column in zip(_AS_THEY_ARE, of_functions, strict=True):
        _fill(functions, name, column)
    _fill(functions, "span", _spans(spans))
    for name, column in zip(_ABOVE, above, strict=True):
        _fill(functions, name, [parts[at] if at >= 0 else None for at in column])
    for name, column in zip(_SETS, sets, strict=True):
        _fill(functions, name, [set(found) if found else _NONE for found in column])
    _fill(functions, "holds", map(_whole, holds))
    _fill(functions, "events", _events(*rest))
    _fill(functions, "_calls", [None] * len(functions))
    for item in parts:
        item.module = module
    module.functions, module.classes = functions, classes
    module.callers = {name: [functions[at] for at in found] for name, found in callers.items()}
    return module


def _column(items: Iterable[object], name: str) -> list[Any]:
    return list(map(attrgetter(name), items))


def _fill(items: Sequence[object], name: str, values: Iterable[Any]) -> None:
    given = tuple(values)
    if len(given) != len(items):
        raise ValueError(f"{len(given)} values of {name} for {len(items)}")
    deque(map(setattr, items, repeat(name), given), maxlen=0)


def _columns_of_events(lists: Sequence[Sequence[Event]]) -> tuple[list[int], bytes, list[list[Any]]]:
    """How many events each function has, a code for each of them, and the fields of each kind."""
    found: list[list[Any]] = [[] for _ in _KINDS]
    codes = bytearray()
    for event in chain.from_iterable(lists):
        code = _KIND_CODES.get(type(event))
        if code is None:
            codes.append(_FLOW_CODES[id(event)])
        else:
            found[code].append(event)
            codes.append(code)
    return list(map(len, lists)), bytes(codes), list(map(_fields, _KINDS, found))


def _fields(kind: Any, items: list[tuple[Any, ...]]) -> list[Any]:
    columns = zip(*items, strict=True)
    return [_numbers(column) if name in _SPANS else column for name, column in zip(kind._fields, columns)]  # noqa: B905 - there is no column of nothing


_SPANS = frozenset({"span", "loop_span"})


def _events(sizes: list[int], codes: bytes, fields: list[list[Any]]) -> list[list[Event]]:
    made: list[Iterator[Any]] = []
    for kind, columns in zip(_KINDS, fields, strict=True):
        given = [_spans(item) if isinstance(item, bytes) else item for item in columns]
        made.append(map(_make, repeat(kind), zip(*given, strict=True)))
    made.extend(map(repeat, _FLOWS))
    try:
        every = [next(made[code]) for code in codes]
    except StopIteration:
        raise ValueError("fewer events than codes") from None
    ends = list(accumulate(sizes))
    return [every[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def _numbers(spans: Iterable[Span]) -> bytes:
    found = array(_NUMBERS, chain.from_iterable(spans))
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def _spans(data: bytes) -> list[Span]:
    found = array(_NUMBERS)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    each = iter(found)
    return list(map(_new_span, zip(each, each, each, each, strict=True)))


_new_span: Callable[[tuple[int, ...]], Span] = functools.partial(_make, Span)


@functools.cache
def _in_order(kinds: frozenset[Any]) -> tuple[Any, ...]:
    return tuple(sorted(kinds, key=str))


@functools.cache
def _whole(kinds: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(kinds)
