"""Where code takes another turn: the values that it compares what it is given with, and those that it counts to.

`if amount > self.balance` shows what it guards only to those who ask for as much as there is, and `mode == "stop"`
only to those who say so. A number that a method compares with is one up to which calls may have to be made, and
code that looks at the clock may do nothing before some time has passed.
"""

import ast
import inspect
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final

from racehound.scenario.spelling import spelt_otherwise
from racehound.scenario.usage import tree_of

MOST: Final = 4
"""Values that are tried for the arguments of one call."""
LONG: Final = 100_000
"""Seconds, more than a day: what expires has expired then."""
WHILE: Final = f"__import__('time').sleep({LONG})"
WHILE_ON_LOOP: Final = f"await __import__('asyncio').sleep({LONG})"

_CLOCKS: Final = frozenset({"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"})
_ORDERED: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def turns_of(text: str, function: Callable[..., object], owner: type | None) -> tuple[str, ...]:
    """The call with other arguments, with which the function takes another turn."""
    tree = tree_of(function)
    if tree is None:
        return ()
    names = list(inspect.signature(function).parameters)
    fields = dict(numbers_kept(owner)) if owner is not None else {}
    found = (
        _with_argument(text, place, value)
        for place, name in enumerate(names[1:] if owner is not None else names)
        for value in _compared(tree, name, fields)
    )
    spelt = (
        _with_argument(text, place, other)
        for place, name in enumerate(names[1:] if owner is not None else names)
        for other in spelt_otherwise(tree, name, _argument_at(text, place))
    )
    others = dict.fromkeys(each for each in chain(found, spelt) if each is not None and each != text)
    return tuple(islice(others, MOST))


def _argument_at(text: str, place: int) -> object:
    call = _call_in(ast.parse(text, mode="eval").body)
    return _constant(call.args[place]) if call is not None and place < len(call.args) else None


def _call_in(body: ast.expr) -> ast.Call | None:
    call = body.value if isinstance(body, ast.Await) else body
    return call if isinstance(call, ast.Call) else None


def numbers_counted_to(owners: list[type]) -> set[int]:
    """The whole numbers that methods of the classes compare something with, or begin with."""
    found: set[int] = set()
    for owner in owners:
        found.update(value for _, value in numbers_kept(owner))
        for tree in _methods(owner):
            compared = (node for node in ast.walk(tree) if isinstance(node, ast.Compare))
            found.update(
                value
                for node in compared
                for value in map(_constant, (node.left, *node.comparators))
                if type(value) is int
            )
    return found


def looks_at_clock(owners: list[type]) -> bool:
    """Whether a method of the classes asks what time it is."""
    calls = (
        node
        for owner in owners
        for tree in _methods(owner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )
    return any(_last_name(call.func) in _CLOCKS for call in calls)


def numbers_kept(owner: type) -> Iterator[tuple[str, int]]:
    """The attributes that objects of a class hold from the beginning, where they are whole numbers."""
    maker = vars(owner).get("__init__")
    tree = tree_of(maker) if inspect.isfunction(maker) else None
    if tree is None or maker is None:
        return
    defaults = {
        each.name: each.default
        for each in inspect.signature(maker).parameters.values()
        if type(each.default) is int
    }
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name("self"), attr=name)], value=value):
                number = defaults.get(value.id) if isinstance(value, ast.Name) else _constant(value)
                if type(number) is int:
                    yield name, number


def _methods(owner: type) -> Iterator[ast.AST]:
    functions = (inspect.unwrap(value) for value in vars(owner).values() if inspect.isroutine(value))
    trees = (tree_of(function) for function in functions if inspect.isfunction(function))
    return (tree for tree in trees if tree is not None)


def _compared(tree: ast.AST, name: str, fields: dict[str, int]) -> Iterator[object]:
    """What a parameter is compared with, and what is next to it."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, ast.Name) and one.id == name:
                        yield from _around(_known(other, fields), is_ordered=isinstance(operator, _ORDERED))
            case ast.Match(subject=ast.Name(id=subject), cases=cases) if subject == name:
                yield from (
                    _constant(each)
                    for case in cases
                    for each in ast.walk(case.pattern)
                    if isinstance(each, ast.expr)
                )


def _around(value: object, *, is_ordered: bool) -> Iterator[object]:
    if type(value) is int and is_ordered:
        yield from (value, value - 1, value + 1)
    elif value is not None:
        yield value


def _known(node: ast.expr, fields: dict[str, int]) -> object:
    match node:
        case ast.Attribute(value=ast.Name("self"), attr=name):
            return fields.get(name)
    return _constant(node)


def _constant(node: ast.AST | None) -> object:
    """A plain number or text; None for all else."""
    match node:
        case ast.Constant(value=str() | int() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None


def _with_argument(text: str, place: int, value: object) -> str | None:
    """The call with another argument in that place; None where it has none there."""
    tree = ast.parse(text, mode="eval")
    call = _call_in(tree.body)
    if value is None or call is None or place >= len(call.args):
        return None
    call.args[place] = ast.parse(repr(value), mode="eval").body
    return ast.unparse(tree)


def _last_name(node: ast.expr) -> str | None:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return None
