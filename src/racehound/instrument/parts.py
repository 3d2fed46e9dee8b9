"""What an object holds, found without calling any of its methods."""

import builtins
import collections
import functools
import gc
import itertools
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from racehound.instrument.attributes import held_by
from racehound.instrument.kinds import SORTS, Sort, is_a
from racehound.instrument.weak import behind_proxy

_SKIPPED = (type, types.ModuleType, types.FunctionType, types.CodeType, types.FrameType, str, bytes, int)


_WALKS: tuple[tuple[type, Callable[[Any], Iterator[object]]], ...] = (
    (dict, lambda table: itertools.chain(dict.keys(table), dict.values(table))),
    (list, list.__iter__),
    (tuple, tuple.__iter__),
    (set, set.__iter__),
    (frozenset, frozenset.__iter__),
    (collections.deque, collections.deque.__iter__),
)


def elements(container: object) -> Iterator[object]:
    """What is in a built-in container, whatever its class makes of iteration."""
    return next((walk(container) for kind, walk in _WALKS if is_a(container, kind)), iter(()))


def underlying(view: object) -> object:
    """The mapping behind a view of it; a view that cannot be written to may be one of any mapping."""
    referents = gc.get_referents(view)
    return (
        referents[0]
        if is_a(view, types.MappingProxyType)
        else next(item for item in referents if is_a(item, dict))
    )


def fields(subject: object) -> Iterator[object]:
    """The values of an object's attributes, slots included."""
    yield from (held_by(subject) or {}).values()
    for owner in type(subject).__mro__:
        for member in owner.__dict__.values():
            if isinstance(member, types.MemberDescriptorType):
                yield from _slot(member, subject)


def _slot(member: types.MemberDescriptorType, subject: object) -> Iterator[object]:
    try:
        yield member.__get__(subject)
    except AttributeError:
        return


def referents(subject: object) -> Iterator[object]:
    """What a foreign object refers to, as far as the garbage collector knows, and its dictionary.

    Of that the collector does not know before somebody has asked for it once, or, from 3.13 on, as long as the
    object keeps its values by itself.
    """
    held: object = None
    with suppress(AttributeError):  # a type may keep its dictionary to itself
        held = held_by(subject)
    found = [] if held is None else [held]
    if is_a(subject, weakref.ProxyTypes):
        found.append(behind_proxy(subject))
    found += (item for item in gc.get_referents(subject) if item is not held)
    return (item for item in found if not is_a(item, _SKIPPED))


def inner(subject: object, sort: Sort) -> Iterable[object]:
    """What can be reached from an object in one step."""
    if sort is Sort.CONTAINER or sort is Sort.TUPLE:
        return (*elements(subject), *fields(subject))
    if sort is Sort.VIEW:
        return (underlying(subject),)
    if sort is Sort.INSTANCE:
        return tuple(fields(subject))
    if sort is Sort.FUNCTION or is_a(subject, _BOUND):
        return (bound_to(subject),)
    if is_a(subject, functools.partial):
        return (subject.func, subject.args, subject.keywords)  # type: ignore[attr-defined]  # as its type says
    return tuple(referents(subject)) if sort is Sort.FOREIGN else ()


_BOUND = (types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType)


def bound_to(function: object) -> object:
    """The object that a method belongs to; None for plain functions."""
    return function.__self__ if is_a(function, _BOUND) else None  # type: ignore[attr-defined]  # as its type says


def behind(function: object) -> Iterator[object]:
    """What a function can use without being given it, if there is no module by which to judge it."""
    code = function.__func__ if is_a(function, types.MethodType) else function  # type: ignore[attr-defined]  # as its type says
    if not isinstance(code, types.FunctionType) or _is_at_home(code):
        return
    yield code.__globals__
    yield code.__defaults__
    yield code.__kwdefaults__
    for cell in code.__closure__ or ():
        yield from _content(cell)


def _is_at_home(function: types.FunctionType) -> bool:
    module = sys.modules.get(function.__module__ or "")
    return module is not None and function.__globals__ is vars(module)


def _content(cell: types.CellType) -> Iterator[object]:
    try:
        yield cell.cell_contents
    except ValueError:
        return  # nothing in it yet


_BUILT_IN = vars(builtins)
CHANGEABLE = (Sort.CONTAINER, Sort.INSTANCE, Sort.FOREIGN)


def reachable(roots: Iterable[object], *, limit: int = 500) -> tuple[list[object], bool]:
    """Everything that could change and can be reached from the roots, and whether that is all of it."""
    found: list[object] = []
    seen: dict[int, object] = {}  # keeps what it has seen, so that no identity is reused
    queue = list(roots)
    while queue:
        subject = queue.pop()
        sort = SORTS.of(subject)
        plain = sort is Sort.PLAIN and not is_a(subject, _BOUND)
        if id(subject) in seen or plain or subject is _BUILT_IN:
            continue
        seen[id(subject)] = subject
        if len(seen) > limit:
            return found, False
        if sort in CHANGEABLE:
            found.append(subject)
        queue.extend(inner(subject, sort))
    return found, True
