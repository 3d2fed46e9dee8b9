"""Expressions in outline: enough to say what a name may hold, where that can be read off the source."""

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from racehound.source.events import ITEM, MAXIMUM_DEPTH, OTHER, Place, Shape, Value
from racehound.source.walk import Walk

_TEXT = Value(Shape.CONSTANT, "str")
_TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - what to look for in the source of others
_SOMETHING = Value(Shape.CONSTANT, "constant")
_NOTICED = 0.001
_MOMENT = Value(Shape.CONSTANT, "moment")
"""A number that, in seconds, nobody notices."""
_CONTAINERS: dict[type[ast.expr], Value] = {
    ast.Dict: Value(Shape.CONTAINER, "dict"),
    ast.DictComp: Value(Shape.CONTAINER, "dict"),
    ast.GeneratorExp: Value(Shape.CONTAINER, "generator"),
    ast.List: Value(Shape.CONTAINER, "list"),
    ast.ListComp: Value(Shape.CONTAINER, "list"),
    ast.Set: Value(Shape.CONTAINER, "set"),
    ast.SetComp: Value(Shape.CONTAINER, "set"),
}
_WRAPPERS = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Union", "Required", "NotRequired"})


_make = tuple.__new__


def outline(walk: Walk, node: ast.expr) -> Value:
    """The expression, or its first alternative."""
    if type(node) is ast.Name:
        return walk.named(node.id)  # what is asked for most
    handler = _OUTLINES.get(type(node))
    return OTHER if handler is None else handler(walk, node)


def _constant(walk: Walk, node: ast.Constant) -> Value:
    del walk
    value = node.value
    if isinstance(value, str):
        return Value(Shape.CONSTANT, value) if value.startswith(_TEMPORARY) else _TEXT
    if isinstance(value, float) and 0 <= value <= _NOTICED:
        return _MOMENT
    return _number(repr(value)) if isinstance(value, int) or value is None else _SOMETHING


@lru_cache(maxsize=1024)
def _number(text: str) -> Value:
    return Value(Shape.CONSTANT, text)


def _place(walk: Walk, node: ast.expr) -> Value:
    place = walk.place(node)
    return OTHER if place is None else walk.value(place)


def _item(walk: Walk, node: ast.Subscript) -> Value:
    """`self._locks[key]`: one of many locks; of other items it is known where they are taken from."""
    place = walk.place(node.value)
    if place is None or "lock" not in (place.attributes or (place.root,))[-1].lower():
        return OTHER if place is None else Value(Shape.OTHER, ITEM, arguments=(walk.value(place),))
    attributes = (*place.attributes, ITEM)
    return walk.value(walk.interned(place.root, attributes)) if len(attributes) <= MAXIMUM_DEPTH else OTHER


def _lambda(walk: Walk, node: ast.Lambda) -> Value:
    return Value(Shape.FUNCTION, lambda_name(walk.facts.qualified_name, node))


def _quotient(walk: Walk, node: ast.BinOp) -> Value:
    """`directory / "name"`, which is a path more often than a number."""
    if not isinstance(node.op, ast.Div):
        return OTHER
    return Value(Shape.OTHER, "/", arguments=(outline(walk, node.left), _last_part(walk, node.right)))


def given(walk: Walk, node: ast.expr) -> Value:
    """As the outline, but of a sum or a difference that a call is given it is also told what it is made of."""
    if type(node) is ast.BinOp and type(node.op) in _SIGNS:
        parts = (outline(walk, node.left), outline(walk, node.right))
        return Value(Shape.OTHER, _SIGNS[type(node.op)], arguments=parts)
    return outline(walk, node)


_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-"}


def _spread(walk: Walk, node: ast.Starred) -> Value:
    """`*tasks`: how many, nobody knows."""
    return Value(Shape.OTHER, "*", arguments=(outline(walk, node.value),))


def _tuple(walk: Walk, node: ast.Tuple) -> Value:
    return Value(Shape.CONTAINER, "tuple", arguments=tuple([outline(walk, part) for part in node.elts[:8]]))


def _call(walk: Walk, node: ast.Call) -> Value:
    function = node.func
    if type(function) is ast.Subscript and _is_generic(function.value):
        function = function.value
    name = ""
    if type(function) is ast.Attribute:
        name = function.attr
    elif type(function) is ast.Name:
        name = function.id
    arguments: tuple[Value, ...] = ()
    if node.args:
        arguments = tuple([outline(walk, argument) for argument in node.args[:2]])
    if name == "join" and len(node.args) > 1:
        arguments = (arguments[0], _last_part(walk, node.args[-1]))
    keywords: tuple[tuple[str, Value], ...] = ()
    if node.keywords:
        keywords = tuple([(word.arg, outline(walk, word.value)) for word in node.keywords if word.arg])
    return _make(Value, (Shape.CALL, name, walk.place(function), arguments, keywords))


def _is_generic(node: ast.expr) -> bool:
    """True for the class in `Queue[int]()`; the function in `handlers[name]()` is an entry of a table."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in _GENERIC or (name[:1].isupper() and not name.isupper())


_GENERIC = frozenset({"dict", "list", "set", "deque", "defaultdict"})


def _last_part(walk: Walk, node: ast.expr) -> Value:
    """The name of a file in its directory, kept where it is written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Value(Shape.CONSTANT, repr(node.value))
    return outline(walk, node)


_OUTLINES: dict[type[ast.AST], Callable[[Walk, Any], Value]] = {
    ast.Attribute: _place,
    ast.BinOp: _quotient,
    ast.Call: _call,
    ast.Constant: _constant,
    ast.Lambda: _lambda,
    ast.Starred: _spread,
    ast.Subscript: _item,
    ast.Tuple: _tuple,
    **{kind: lambda _, node: _CONTAINERS[type(node)] for kind in _CONTAINERS},
}


_KEPT = 16
"""Entries of a table that are kept: longer ones are data."""


def with_contents(walk: Walk, node: ast.expr) -> Value:
    """As the outline, but of a table of objects or functions it is also told what is in it."""
    parts = (
        node.values if isinstance(node, ast.Dict) else node.elts if isinstance(node, ast.List | ast.Set) else ()
    )
    named = [part for part in parts[:_KEPT] if isinstance(part, ast.Call | ast.Name | ast.Attribute)]
    value = outline(walk, node)
    return value._replace(arguments=tuple([outline(walk, part) for part in named])) if named else value


def alternatives(walk: Walk, node: ast.expr) -> tuple[Value, ...]:
    """All that `a or b` and `a if c else b` may evaluate to."""
    if type(node) is ast.BoolOp:
        return tuple([outline(walk, value) for value in node.values])
    if type(node) is ast.IfExp:
        return (outline(walk, node.body), outline(walk, node.orelse))
    return (outline(walk, node),)


def lambda_name(outer: str, node: ast.Lambda) -> str:
    return f"{outer}.<locals>.<lambda:{node.lineno}:{node.col_offset}>"


def annotation(node: ast.expr | None) -> tuple[Value, ...]:
    """The classes an annotation names, `None` and the arguments of generics left out."""
    if type(node) is ast.Name:
        return _named_class(node.id)  # what most are
    match node:
        case ast.Name() | ast.Attribute():
            place = _dotted(node)
            return () if place is None else (Value(Shape.ANNOTATION, place=place),)
        case ast.Constant(value=str(text)) if text.isidentifier():
            return (Value(Shape.ANNOTATION, place=Place(text)),)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return annotation(left) + annotation(right)
        case ast.Subscript(value=generic, slice=inner):
            return _generic(generic, inner)
    return ()


@lru_cache(maxsize=4096)
def _named_class(name: str) -> tuple[Value, ...]:
    return (Value(Shape.ANNOTATION, place=Place(name)),)


def _generic(generic: ast.expr, inner: ast.expr) -> tuple[Value, ...]:
    place = _dotted(generic)
    if place is None or (place.attributes or (place.root,))[-1] not in _WRAPPERS:
        return annotation(generic)
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    return tuple(value for part in parts for value in annotation(part))


def _dotted(node: ast.expr) -> Place | None:
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return Place(node.id, tuple(reversed(attributes))) if isinstance(node, ast.Name) else None
