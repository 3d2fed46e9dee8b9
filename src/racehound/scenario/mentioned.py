"""Arguments that a function itself speaks of: what it compares its parameters with, what it looks them up in.

    def withdraw(self, amount):
        if self.balance >= amount:      # `self.balance = 100` in the constructor: 100, and a little more than half

    def enter(self, mode):
        if mode == "fast":              # "fast"

    def buy(self, item):
        if self.stock[item]:            # `self.stock = {"apple": 1}`: "apple"

They are tried where all other calls, those of `turning` among them, have left a way ungone: keys, limits of sums,
and several arguments at once.
"""

import ast
import enum
import inspect
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from racehound.scenario.usage import tree_of

MOST: Final = 6
"""Variants of one function."""
_LOOKUPS: Final = frozenset({"get", "pop", "setdefault", "remove", "discard", "index"})
_PLAIN: Final = frozenset({int, float, str, tuple, dict, list, set, frozenset})
Arguments = Mapping[str, str]
"""Source text by the name of the parameter."""


def mentioned(function: Callable[..., object], kind: type | None) -> list[Arguments]:
    """Arguments worth trying, a few at a time: one parameter each, then the first of all of them."""
    tree = tree_of(function)
    if not isinstance(tree, ast.Module) or not isinstance(tree.body[0], ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    definition = tree.body[0]
    parameters = {argument.arg for argument in (*definition.args.args, *definition.args.kwonlyargs)}
    reader = _Reader(
        parameters - {"self", "cls"}, _initial_values(kind), _flags(function), getattr(function, "__globals__", {})
    )
    found: dict[str, dict[str, None]] = {}
    for name, text in reader.values(definition):
        found.setdefault(name, {})[text] = None
    each = [{name: text} for name, texts in found.items() for text in texts]
    together = [{name: next(iter(texts)) for name, texts in found.items()}] if len(found) > 1 else []
    return list(islice((*together, *each), MOST))


def apart(text: str, other: str) -> str | None:
    """The call with different things where it names the same one twice: `transfer('a', 'b', 1)`."""
    mine, theirs = call_in(text), call_in(other)
    if mine is None or theirs is None or len(mine.args) != len(theirs.args):
        return None
    said: set[str] = set()
    for place, argument in enumerate(mine.args):
        if ast.unparse(argument) in said and isinstance(argument, ast.Constant):
            mine.args[place] = theirs.args[place]
        said.add(ast.unparse(argument))
    changed = like(text, mine)
    return changed if changed != text else None


def with_one_of_each(text: str, function: Callable[..., object]) -> str:
    """The call with one of what it has none of by default: `open('a', amount=1)`."""
    return _with_defaults(text, function, lambda value: 1 if value == 0 else None)


def with_none_of_any(text: str, function: Callable[..., object]) -> str:
    """The call with nothing where it has some by default: `log_in('a', minutes=0)`."""
    return _with_defaults(text, function, lambda value: 0 if value else None)


def with_a_keyword(text: str, function: Callable[..., object]) -> str:
    """The call with one of those that `**options` collects."""
    call = call_in(text)
    parameters = inspect.signature(function).parameters
    if call is None or not any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return text
    call.keywords.append(ast.keyword(next(name for name in "abcdefgh" if name not in parameters), ast.Constant(1)))
    return like(text, call)


def _with_defaults(text: str, function: Callable[..., object], instead: Callable[[float], int | None]) -> str:
    call = call_in(text)
    if call is None:
        return text
    given = {each.arg for each in call.keywords}
    for name, parameter in inspect.signature(function).parameters.items():
        value = instead(parameter.default) if type(parameter.default) in (int, float) else None
        if value is not None and name not in given:
            call.keywords.append(ast.keyword(name, ast.Constant(value)))
    return like(text, call)


def call_in(text: str) -> ast.Call | None:
    """The call that a text is, with what is awaited of it; None where it is something else."""
    body = ast.parse(text, mode="eval").body
    body = body.value if isinstance(body, ast.Await) else body
    is_bare = isinstance(body, ast.Call) and ast.unparse(body.func) != "list"  # around a generator
    return body if is_bare and isinstance(body, ast.Call) else None


def like(text: str, call: ast.Call) -> str:
    """A call as text, awaited where that one is."""
    return f"await {ast.unparse(call)}" if text.startswith("await ") else ast.unparse(call)


class _Reader:
    def __init__(
        self, parameters: set[str], fields: Mapping[str, object], flags: set[str], names: Mapping[str, object]
    ) -> None:
        self._parameters = parameters
        self._fields = fields
        """What the constructor puts into the fields, where that is a literal."""
        self._flags = flags
        self._names = names

    def values(self, definition: ast.AST) -> Iterator[tuple[str, str]]:
        for node in ast.walk(definition):
            match node:
                case ast.Name(id=name, ctx=ast.Load()) if name in self._flags:
                    yield name, "True"
                case ast.Compare():
                    yield from self._compared(node)
                case ast.Match(subject=ast.Name(id=name)) if name in self._parameters:
                    yield from ((name, text) for case in node.cases for text in _patterns(case.pattern))
                case ast.Subscript(value=table, slice=ast.Name(id=name)):
                    yield from self._key(name, table)
                case ast.Call(func=ast.Attribute(value=table, attr=verb), args=[ast.Name(id=name), *_]):
                    if verb in _LOOKUPS:
                        yield from self._key(name, table)

    def _compared(self, node: ast.Compare) -> Iterator[tuple[str, str]]:
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            match operator, left, right:
                case ast.In() | ast.NotIn(), ast.Name(id=name), table:
                    yield from self._key(name, table)
                case ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot(), _, _:
                    yield from self._equal(left, right)
                    yield from self._equal(right, left)
                case _:
                    yield from self._limited(left, right)
                    yield from self._limited(right, left)

    def _equal(self, asked: ast.expr, known: ast.expr) -> Iterator[tuple[str, str]]:
        match asked, known:
            case ast.Name(id=name), ast.Constant(value=value) if name in self._parameters and value is not None:
                yield name, repr(value)
            case ast.Name(id=name), ast.Attribute(value=ast.Name(id=owner)) if name in self._parameters:
                if isinstance(self._names.get(owner), enum.EnumType):
                    yield name, ast.unparse(known)

    def _limited(self, asked: ast.expr, known: ast.expr) -> Iterator[tuple[str, str]]:
        """A number that is just within a limit, and one of which two are beyond it."""
        limit = self._value(known)
        if not isinstance(limit, int | float) or limit <= 1:
            return
        for node in ast.walk(asked):
            if isinstance(node, ast.Name) and node.id in self._parameters:
                yield node.id, repr(limit)
                yield node.id, repr(type(limit)(limit // 2 + 1))

    def _key(self, name: str, table: ast.expr) -> Iterator[tuple[str, str]]:
        value = self._value(table)
        if name in self._parameters and isinstance(value, dict | list | tuple | set | frozenset):
            plain = (key for key in list(value) if isinstance(key, str | bytes | int | float))
            yield from ((name, repr(key)) for key in islice(plain, 1))

    def _value(self, node: ast.expr) -> object:
        if isinstance(node, ast.Attribute):
            return self._fields.get(node.attr)
        if isinstance(node, ast.Name):
            held = self._names.get(node.id)
            return held if type(held) in _PLAIN else None
        return _literal(node)


def _flags(function: Callable[..., object]) -> set[str]:
    """The parameters that are false unless somebody says otherwise."""
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name for parameter in parameters if parameter.default is False}


def _patterns(pattern: ast.pattern) -> Iterator[str]:
    match pattern:
        case ast.MatchValue(value=ast.Constant(value=value)):
            yield repr(value)
        case ast.MatchValue(value=ast.Attribute(value=ast.Name()) as member):
            yield ast.unparse(member)
        case ast.MatchOr(patterns=patterns):
            yield from (text for each in patterns for text in _patterns(each))


def _initial_values(kind: type | None) -> dict[str, object]:
    """Literals that the constructors of a class and its bases put into fields, and those in the class body."""
    found: dict[str, object] = {}
    for owner in reversed(kind.__mro__ if kind is not None else ()):
        found |= {name: value for name, value in vars(owner).items() if type(value) in _PLAIN and name[:2] != "__"}
        initializer = vars(owner).get("__init__")
        if inspect.isfunction(initializer):
            found |= dict(_assigned(initializer))
    return found


def _assigned(initializer: Callable[..., object]) -> Iterator[tuple[str, object]]:
    tree = tree_of(initializer)
    if tree is None:
        return
    defaults = {name: each.default for name, each in inspect.signature(initializer).parameters.items()}
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=field)], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(), attr=field), value=ast.expr() as value)
            ):
                known = defaults.get(value.id) if isinstance(value, ast.Name) else _literal(value)
                if known is not None and known is not inspect.Parameter.empty:
                    yield field, known


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
