"""State that functions carry: attributes of their own, mutable defaults, variables they close over.

A decorator that counts calls, a cache in a default argument: such state is shared by all callers as much as a
global is, so it belongs to the outcome and has to be put back between executions. So does the default of a context
variable.
"""

import types
from collections.abc import Iterator
from contextvars import Context, ContextVar
from typing import NamedTuple

from racehound.instrument.kinds import is_a
from racehound.scenario.data import is_data, is_inner_class, is_withheld

Cell = types.CellType


class Code(NamedTuple):
    """What a module defines that may carry state."""

    functions: list[types.FunctionType]
    """Functions and methods, and those they wrap."""
    inner_classes: list[type]
    """Classes within classes and functions."""


def code_in(module: types.ModuleType) -> Code:
    found = list(_code_in(module))
    return Code(
        [value for value in found if isinstance(value, types.FunctionType)],
        [value for value in found if isinstance(value, type) and is_inner_class(value)],
    )


def _code_in(module: types.ModuleType) -> Iterator[object]:
    seen: set[int] = set()
    stack = [value for value in vars(module).values() if _belongs(value, module)]
    while stack:
        value = stack.pop()
        if id(value) in seen or is_withheld(value):
            continue
        seen.add(id(value))
        if isinstance(value, type):
            stack.extend(vars(value).values())
        stack.extend(_inside(value))
        yield value


def _belongs(value: object, module: types.ModuleType) -> bool:
    return is_a(value, (types.FunctionType, type)) and getattr(value, "__module__", None) == module.__name__


def _inside(value: object) -> list[object]:
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    if isinstance(value, property):
        return [value.fget, value.fset, value.fdel]
    if isinstance(value, types.FunctionType):
        return [*vars(value).values(), *(cell_value(cell) for cell in value.__closure__ or ())]
    return []


def code_within(function: types.FunctionType) -> dict[str, object]:
    """The functions and classes that a function knows beyond the globals, which may carry data in their turn."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    known = {name: cell_value(cell) for name, cell in cells} | vars(function)
    return {
        name: value
        for name, value in known.items()
        if is_a(value, (types.FunctionType, types.MethodType)) or is_inner_class(value)
    }


def cell_value(cell: Cell) -> object:
    """What a cell holds; None if it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def data_cells(function: types.FunctionType) -> dict[str, Cell]:
    """The closed-over variables of a function that hold data rather than code."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell for name, cell in cells if is_data(name, cell_value(cell))}


def state_of(function: types.FunctionType) -> dict[str, object]:
    """The data that a function carries, by the name under which a person would look for it."""
    name = function.__qualname__
    found: dict[str, object] = {
        f"{name}.{attribute}": value for attribute, value in vars(function).items() if is_data(attribute, value)
    }
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    found |= {f"default {number} of {name}": value for number, value in enumerate(defaults) if _is_mutable(value)}
    return found | {f"{variable} of {name}": cell_value(cell) for variable, cell in data_cells(function).items()}


def default_of(variable: ContextVar[object]) -> object:
    """What a context variable gives to those who have not set it, the same to all; None if it has nothing."""
    try:
        return Context().run(variable.get)
    except LookupError:
        return None


def _is_mutable(value: object) -> bool:
    return not is_a(value, (int, float, str, bytes, tuple, frozenset, type(None))) and is_data("", value)
