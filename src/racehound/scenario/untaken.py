"""What no scenario came to: ways through the raced functions that nobody has gone.

Arguments are made up, and an interleaving that breaks something may need others. A function one way of which was
never gone has not been raced whole, however many interleavings of the others were.
"""

import functools
import inspect
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from racehound.instrument.ways import WAYS, lines_of
from racehound.scenario.decorated import function_behind

_NOT_RACED = frozenset(
    {"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__class_getitem__", "__del__"}
    | {"__repr__", "__str__", "__format__", "__eq__", "__hash__", "__copy__", "__deepcopy__"}
    | {"__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__sizeof__", "__dir__"}
)
"""Methods that make objects, or by which states are compared and shown."""


Member = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Untaken:
    function: str
    told: str
    """A clause: what never happened, and where."""


def untaken_in_classes(owners: Collection[type], names: Collection[str]) -> Iterator[Untaken]:
    """Ways that nobody has gone, one for each named method of a class and its bases, or for all there are."""
    members = [(name, member) for owner in owners for name, member in vars(owner).items()]
    asked = [(name, member) for name, member in members if (name in names if names else name not in _NOT_RACED)]
    yield from _first_of_each(asked)
    yield from _never_called(asked, members)


def untaken_in_module(module: types.ModuleType, names: Collection[str]) -> Iterator[Untaken]:
    """The same for functions of a module."""
    asked = [(name, member) for name in names for member in _members(module, name)]
    yield from _first_of_each(asked)
    yield from _never_called(asked, [])


def _members(module: types.ModuleType, name: str) -> list[object]:
    """What has that name in a module, or in its classes."""
    if hasattr(module, name):
        return [getattr(module, name)]
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    return [vars(kind)[name] for kind in kinds if kind.__module__ == module.__name__ and name in vars(kind)]


def _first_of_each(members: Iterable[tuple[str, object]]) -> Iterator[Untaken]:
    for name, member in members:
        places = (lines_of(inspect.unwrap(function)) for function in _functions_of(member))
        missed = [way for place in places if place is not None for way in WAYS.untaken(*place)]
        if missed:
            yield Untaken(name, f"{missed[0].missed} (line {missed[0].line})")


def _never_called(asked: Iterable[Member], members: Iterable[Member]) -> Iterator[Untaken]:
    """Helpers that what was raced speaks of and nobody has come to, and ways through others of the module."""
    private = {name: member for name, member in members if _is_helper(name)}
    raced = {name: member for name, member in asked if name not in private}
    queue = [function for member in raced.values() for function in _functions_of(member)]
    seen = set(raced)
    for function in queue:
        inner = inspect.unwrap(function)
        if not _was_entered(inner):
            continue
        for name in _names_in(inner):
            helper = private.get(name) or _of_module(inner, name)
            if helper is None or name in seen:
                continue
            seen.add(name)
            found = [each for each in _functions_of(helper) if lines_of(inspect.unwrap(each)) is not None]
            if found and not any(_was_entered(inspect.unwrap(each)) for each in found):
                yield Untaken(name, f"`{name}` was never called")
            if name not in private:
                yield from _first_of_each([(name, helper)])
            queue += found


def _is_helper(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _was_entered(function: Callable[..., object]) -> bool:
    place = lines_of(function)
    return place is not None and WAYS.was_entered(*place)


def _of_module(function: Callable[..., object], name: str) -> object:
    """The function that has this name in the module of the other one, if it is defined there."""
    names = getattr(function, "__globals__", {})
    found = names.get(name)
    return found if isinstance(found, types.FunctionType) and found.__globals__ is names else None


def _names_in(function: Callable[..., object]) -> Iterator[str]:
    codes = [function.__code__] if isinstance(function, types.FunctionType) else []
    for code in codes:
        yield from code.co_names
        codes += (item for item in code.co_consts if isinstance(item, types.CodeType))


def _functions_of(member: object) -> Iterator[Callable[..., object]]:
    match member:
        case property():
            yield from filter(None, (member.fget, member.fset, member.fdel))
        case staticmethod() | classmethod():
            yield from _functions_of(member.__func__)
        case functools.cached_property() | functools.singledispatchmethod():
            yield from _functions_of(member.func)
        case functools.partialmethod():
            yield from _functions_of(member.func)
        case _ if (behind := function_behind(member)) is not None:
            yield behind[1]
        case _ if inspect.isroutine(member) or hasattr(member, "__wrapped__"):
            yield member  # type: ignore[misc]  # just found to be one
