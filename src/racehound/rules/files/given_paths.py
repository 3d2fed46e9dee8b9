"""Helpers that make a path of nothing but what they are given: which file it is, only the caller knows."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.source.events import Bind, Exit, Shape, Value
from racehound.source.facts import FunctionFacts

_DEPTH = 5
_ON_PATHS = ("os.path.", "os.fs", "pathlib.", "posixpath.")
"""Functions of the standard library that turn paths into other paths, and know no place themselves."""
_HOME = frozenset({"os.path.expanduser", "os.path.expandvars"})
"""But these find the home of the user in what they are given."""


def parameter_with_place(program: Program, helper: FunctionFacts) -> str | None:
    """The parameter that a path begins with which the helper returns, on some way through it."""
    if helper.is_method or not helper.parameters:
        return None
    returned = (event.value for event in helper.events if isinstance(event, Exit) and event.kind == "return")
    return next((name for value in returned for name in _beginnings(program, helper, value, _DEPTH)), None)


def begins_with_parameter(program: Program, function: FunctionFacts, path: Value) -> bool:
    """True for a file in a directory that the caller names."""
    return any(_beginnings(program, function, path, _DEPTH))


def _beginnings(program: Program, helper: FunctionFacts, value: Value, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if value.shape is Shape.PLACE:
        yield from _of_variable(program, helper, value, depth)
    elif value.arguments and (value.shape is not Shape.CALL or _is_on_paths(program, helper, value)):
        yield from _beginnings(program, helper, value.arguments[0], depth - 1)


def _of_variable(program: Program, helper: FunctionFacts, value: Value, depth: int) -> Iterator[str]:
    place = value.place
    if place is None or place.attributes:
        return
    bound = [event for event in helper.events if isinstance(event, Bind) and event.name == place.root]
    for event in bound:
        for item in event.values:
            yield from _beginnings(program, helper, item, depth - 1)
    if not bound and place.root in helper.parameters:
        yield place.root


def _is_on_paths(program: Program, helper: FunctionFacts, call: Value) -> bool:
    name = program.kinds.callee(helper, call.place) if call.place is not None else None
    return isinstance(name, str) and name.startswith(_ON_PATHS) and name not in _HOME
