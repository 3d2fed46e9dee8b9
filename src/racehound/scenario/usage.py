"""What code does with a parameter says what it must be, where neither a type nor the name does.

A parameter that is called is a function, and so is one that becomes `self.create` where some method calls
`self.create()`. One that is reckoned with is a number, one that a loop runs over is a list. One that is handed on
to another method of the class is what that one uses it as.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

FUNCTION: Final = "function"
NUMBER: Final = "number"
TEXT: Final = "text"
TABLE: Final = "list of lists"
LIST: Final = "list"
MAPPING: Final = "mapping"
AWAITED: Final = "awaited function"
COROUTINE: Final = "coroutine function"
HANDED_ON: Final = 2
"""From one method to the next, so many times."""
_RECKONING: Final = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)
_COMPARING: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_CONVERSIONS: Final = frozenset({"float", "int", "range", "round"})
_TAKING_TEXT: Final = frozenset({"Path", "PurePath", "exists", "isfile", "joinpath", "open", "write_text"})
"""Functions and methods that are given a text, or what files are called."""
_GOING_OVER: Final = frozenset({"enumerate", "join", "list", "map", "sorted", "sum", "tuple", "writerow", "zip"})
_PLACES: Final = frozenset({"base", "cache", "dir", "directory", "folder", "home", "parent", "path", "root"})
"""Last words of names of what a file name is put behind with `/`."""
_BUILT_IN: Final = (bool, bytes, dict, float, int, list, set, str, tuple)
_OF_MAPPINGS: Final = frozenset({"items", "keys", "setdefault", "values"})


def uses_of(
    function: Callable[..., object], owner: type | None, *, home: type | None = None, steps: int = HANDED_ON
) -> Mapping[str, str]:
    """What the parameters of a function are used as, by name; of a constructor (of `owner`) also by other methods.

    `home` is the class whose method it is.
    """
    tree = tree_of(function)
    if tree is None:
        return {}
    direct = dict(_uses(tree))
    handed_on = dict(_handed_on(tree, owner or home, steps))
    if owner is None:
        return handed_on | direct
    as_attributes = {name: use for name, use in _uses_in_class(owner) if name.startswith("self.")}
    kept = ((name, as_attributes.get(attribute)) for name, attribute in kept_as(tree))
    return handed_on | {name: use for name, use in kept if use is not None} | direct


def required_type(function: Callable[..., object], name: str) -> str | None:
    """The name of the type without which a function refuses its parameter."""
    tree = tree_of(function)
    names = getattr(inspect.unwrap(function), "__globals__", {})
    found = (
        (kind for node in ast.walk(tree) for kind in _insisted_on(node, name, names)) if tree is not None else ()
    )
    return next(iter(found), None)


def _insisted_on(node: ast.AST, name: str, names: Mapping[str, object]) -> Iterator[str]:
    match node:
        case ast.Assert(test=test) | ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=[ast.Raise()]):
            pass
        case _:
            return
    for each in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
        match each:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=tested), kinds]) if tested == name:
                yield from _names_of_types(kinds, names)
            case ast.Call(func=asked, args=[ast.Name(id=tested)]) if tested == name and ast.unparse(
                asked
            ).endswith("iscoroutinefunction"):
                yield COROUTINE


def _names_of_types(kinds: ast.expr, names: Mapping[str, object]) -> Iterator[str]:
    """As they are written, or of what stands somewhere else: `isinstance(count, numbers.Integral)`."""
    match kinds:
        case ast.Tuple(elts=several):
            yield from (name for each in several for name in _names_of_types(each, names))
        case ast.Name(id=name) if not isinstance(names.get(name), tuple):
            yield name
        case ast.Name() | ast.Attribute():
            held = _value_of(kinds, names)
            types = held if isinstance(held, tuple) else (held,)
            yield from (kind.__name__ for kind in types if isinstance(kind, type) and kind in _BUILT_IN)


def _value_of(node: ast.expr, names: Mapping[str, object]) -> object:
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=name):
            return getattr(_value_of(value, names), name, None)
    return None


def _handed_on(tree: ast.AST, owner: type | None, steps: int) -> Iterator[tuple[str, str]]:
    """Names that are arguments of other methods of the class, and what these use them as."""
    for node in ast.walk(tree) if owner is not None and steps else ():
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=args):
                method = inspect.getattr_static(owner, name, None)
                if not inspect.isfunction(method):
                    continue
                uses = uses_of(method, None, home=owner, steps=steps - 1)
                taken = zip(args, list(inspect.signature(method).parameters)[1:], strict=False)
                for argument, parameter in taken:
                    if isinstance(argument, ast.Name) and parameter in uses:
                        yield argument.id, uses[parameter]


@cache
def _uses_in_class(owner: type) -> tuple[tuple[str, str], ...]:
    return tuple(use for tree in trees_of_class(owner) for use in _uses(tree))


@cache
def trees_of_class(owner: type) -> tuple[ast.AST, ...]:
    """The methods of a class and of those that it derives from, as far as they have a source."""
    members = (member for kind in owner.__mro__ for member in vars(kind).values())
    trees = (tree_of(member) for member in members if inspect.isfunction(member))
    return tuple(tree for tree in trees if tree is not None)


def tree_of(function: Callable[..., object]) -> ast.AST | None:
    """The syntax of a function; None where it has no source of its own."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):  # made by a program, or not a whole statement
        return None


def returns_itself(method: Callable[..., object]) -> bool:
    """Whether all that a method does is to return its object."""
    tree = tree_of(method)
    match tree.body if isinstance(tree, ast.Module) else []:
        case [
            ast.FunctionDef(
                args=ast.arguments(args=[ast.arg(arg=own)]), body=[*told, ast.Return(ast.Name(id=name))]
            )
        ]:
            return own == name and all(isinstance(item, ast.Expr) for item in told)
    return False


def kept_as(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names, and the attributes of `self` that they are bound to."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Attribute() as target], value=value)
                | ast.AnnAssign(target=ast.Attribute() as target, value=value)
            ):
                yield from ((name, ast.unparse(target)) for name in _perhaps(value))


def _perhaps(value: ast.expr | None) -> list[str]:
    """The names that an expression may be the value of: `name`, `name or 1`, `name if name else 1`."""
    match value:
        case ast.Name(id=name):
            return [name]
        case ast.BoolOp(values=values):
            return [name for each in values for name in _perhaps(each)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_perhaps(body), *_perhaps(orelse)]
    return []


def _uses(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names, or attributes as source text, with what they are used as; the strongest use comes last."""
    found = [(ast.unparse(node), use) for node, use in _used(tree) if isinstance(node, ast.Name | ast.Attribute)]
    ranks = (LIST, TABLE, TEXT, NUMBER, MAPPING, FUNCTION, AWAITED)
    return iter(sorted(found, key=lambda item: ranks.index(item[1])))


def _used(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _OF_MAPPINGS:
                yield held, MAPPING
            case ast.Call(func=ast.Name(id=name), args=args) if name in _CONVERSIONS:
                yield from ((argument, NUMBER) for argument in args)
            case ast.Await(value=ast.Call(func=held)):
                yield held, AWAITED
            case ast.BinOp(left=left, op=ast.Div()) if _is_place(left):
                pass  # no number
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _RECKONING):
                yield from ((left, NUMBER), (right, NUMBER))
            case ast.Compare(left=left, ops=ops, comparators=others) if isinstance(ops[0], _COMPARING):
                yield from ((side, NUMBER) for side in (left, *others))
            case ast.For(iter=held) | ast.comprehension(iter=held):
                yield held, LIST
        if isinstance(node, ast.Call):
            yield node.func, FUNCTION
        yield from _texts(node)
        yield from _tables(node)


def _tables(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """What a loop goes over, and in it over each item."""
    match node:
        case ast.For(target=ast.Name(id=name), iter=held, body=body) if _goes_over(body, name):
            yield held, TABLE


def _goes_over(body: list[ast.stmt], name: str) -> bool:
    for node in (inner for statement in body for inner in ast.walk(statement)):
        match node:
            case ast.For(iter=ast.Name(id=each)) | ast.comprehension(iter=ast.Name(id=each)) if each == name:
                return True
            case ast.Call(func=function, args=args) if _last_word(function, ".") in _GOING_OVER:
                if any(isinstance(each, ast.Name) and each.id == name for each in args):
                    return True
    return False


def _texts(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _is_place(left):
            yield right, TEXT
        case ast.Call(func=function, args=[given, *_]) if _last_word(function, ".") in _TAKING_TEXT:
            yield given, TEXT


def _is_place(node: ast.expr) -> bool:
    """Whether a directory is meant, as far as its name tells."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _is_place(node.left)
    if isinstance(node, ast.Call):
        return _last_word(node.func, ".") in ("Path", "PurePath", "cwd", "home")
    return _last_word(node, "_").lower() in _PLACES


def _last_word(node: ast.expr, mark: str) -> str:
    name = ast.unparse(node).rpartition(".")[2]
    return name.rpartition(mark)[2]
