"""Expressions in outline: enough to say what a name may hold, where that can be read off the source."""

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from racehound.source.events import HOMES, ITEM, MAXIMUM_DEPTH, MEMBER, OTHER, Place, Shape, Value
from racehound.source.walk import Walk

_TEXT = Value(Shape.CONSTANT, "str")
_KNOWN_PLACES = ("/tmp", "/var/", "/run/", "/etc/", "/srv/", "/opt/", "~")  # noqa: S108 - what others write
"""Texts that begin so are kept: every run of a program finds the same file there."""
_HOMES = frozenset(
    {
        *("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"),
        *("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
    }
)
"""Variables of the environment that all runs of one user have alike."""
_PARTS = 5
"""Of a path that is put together, as many are kept."""
_SOMETHING = Value(Shape.CONSTANT, "constant")
_LONGEST_NUMBER = 1024
"""In bits; Python refuses to print numbers of many thousand, and nobody counts that far."""
_KEPT = 16
"""Entries of a table that are kept: longer ones are data."""
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
        if value in _HOMES:
            return Value(Shape.CONSTANT, HOMES + value)
        return Value(Shape.CONSTANT, value) if value.startswith(_KNOWN_PLACES) else _TEXT
    if isinstance(value, float) and 0 <= value <= _NOTICED:
        return _MOMENT
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        return _SOMETHING
    return _number(repr(value)) if isinstance(value, int) or value is None else _SOMETHING


@lru_cache(maxsize=1024)
def _number(text: str) -> Value:
    return Value(Shape.CONSTANT, text)


def _place(walk: Walk, node: ast.Attribute) -> Value:
    """A path; of what is asked of the result of a call, `Worker().run`, the call is kept."""
    place = walk.place(node)
    if place is not None:
        return walk.value(place)
    if type(node.value) is not ast.Call:
        return OTHER
    return Value(Shape.OTHER, MEMBER + node.attr, arguments=(_call(walk, node.value),))


_APPLICATIONS = frozenset({"app", "application"})


def kept_by_application(place: Place | None, node: ast.Subscript) -> Place | None:
    """`request.app["hub"]` is to one framework what `request.app.state.hub` is to another: it is told so."""
    if place is None or (place.attributes or (place.root,))[-1] not in _APPLICATIONS:
        return None
    match node.slice:
        case ast.Constant(value=str(name)) | ast.Name(id=name) | ast.Attribute(attr=name):
            return Place(place.root, (*place.attributes, "state", name))
    return None


def _item(walk: Walk, node: ast.Subscript) -> Value:
    """`self._locks[key]`: one of many locks; of other items it is known where they are taken from."""
    place = walk.place(node.value)
    if place is not None and (place.attributes or (place.root,))[-1] == "environ":
        return Value(Shape.CALL, "getenv", arguments=(outline(walk, node.slice),))
    kept = kept_by_application(place, node)
    if kept is not None and len(kept.attributes) <= MAXIMUM_DEPTH:
        return walk.value(kept)
    if place is None or "lock" not in (place.attributes or (place.root,))[-1].lower():
        return OTHER if place is None else Value(Shape.OTHER, ITEM, arguments=(walk.value(place),))
    attributes = (*place.attributes, ITEM)
    return walk.value(walk.interned(place.root, attributes)) if len(attributes) <= MAXIMUM_DEPTH else OTHER


def _lambda(walk: Walk, node: ast.Lambda) -> Value:
    return Value(Shape.FUNCTION, lambda_name(walk.facts.qualified_name, node))


def _joined(walk: Walk, node: ast.BinOp) -> Value:
    """`directory / "name"`, which is a path more often than a number, and texts that are put together."""
    sign = _SIGNS.get(type(node.op), "")
    if not sign or (sign != "/" and not (_is_text(node.left) or _is_text(node.right))):
        return OTHER
    right = _last_part(walk, node.right) if sign == "/" else outline(walk, node.right)
    return Value(Shape.OTHER, sign, arguments=(outline(walk, node.left), right))


_SIGNS: dict[type[ast.operator], str] = {ast.Div: "/", ast.Add: "+", ast.Mod: "%"}


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _filled_in(walk: Walk, node: ast.JoinedStr) -> Value:
    """`f"{directory}/{name}.json"`: its parts, where it can be a path; what has a space in it is a message."""
    parts = node.values[:_PARTS]
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    if not texts or len(texts) == len(parts) or any(not isinstance(text, str) or " " in text for text in texts):
        return OTHER
    return Value(Shape.OTHER, "f", arguments=tuple([_part(walk, part) for part in parts]))


def _part(walk: Walk, node: ast.expr) -> Value:
    """A variable, or a text: two paths that are put together of the same parts are one."""
    if isinstance(node, ast.FormattedValue):
        return outline(walk, node.value)
    value = outline(walk, node)
    return _written_out(str(node.value)) if value is _TEXT and isinstance(node, ast.Constant) else value


@lru_cache(maxsize=4096)
def _written_out(text: str) -> Value:
    return Value(Shape.CONSTANT, repr(text))


def given(walk: Walk, node: ast.expr) -> Value:
    """As the outline, but of a number that is worked out for a call it is also told what it is made of."""
    value = outline(walk, node)
    if value is OTHER and type(node) is ast.BinOp and isinstance(node.op, ast.Add | ast.Sub):
        return Value(Shape.OTHER, "number", arguments=(outline(walk, node.left), outline(walk, node.right)))
    return value


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
        arguments = (
            arguments[0],
            *[_last_part(walk, part) for part in node.args[1:][-_PARTS:]],
        )
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


def _made_for_each(walk: Walk, node: ast.ListComp | ast.SetComp | ast.DictComp) -> Value:
    """`[Worker(n) for n in range(4)]`: a container of workers."""
    return _holding(walk, node, (node.value if isinstance(node, ast.DictComp) else node.elt,))


def _display(walk: Walk, node: ast.List | ast.Set | ast.Dict) -> Value:
    parts = node.values if isinstance(node, ast.Dict) else node.elts
    return _holding(walk, node, parts[:_KEPT]) if parts else _CONTAINERS[type(node)]


def _holding(walk: Walk, node: ast.expr, parts: Sequence[ast.expr]) -> Value:
    """A container, with the objects that are made for it."""
    made = [part for part in parts if type(part) is ast.Call and _is_made(part.func)]
    value = _CONTAINERS[type(node)]
    return value._replace(arguments=tuple([_call(walk, part) for part in made])) if made else value


def _is_made(function: ast.expr) -> bool:
    """True for the call of a class, by its name."""
    name = function.id if type(function) is ast.Name else function.attr if type(function) is ast.Attribute else ""
    name = name.lstrip("_")
    return name[:1].isupper() and not name.isupper()


_OUTLINES: dict[type[ast.AST], Callable[[Walk, Any], Value]] = {
    ast.Attribute: _place,
    ast.BinOp: _joined,
    ast.Call: _call,
    ast.Constant: _constant,
    ast.JoinedStr: _filled_in,
    ast.Lambda: _lambda,
    ast.Starred: _spread,
    ast.Subscript: _item,
    ast.Tuple: _tuple,
    ast.GeneratorExp: lambda _, node: _CONTAINERS[type(node)],
    **dict.fromkeys((ast.DictComp, ast.ListComp, ast.SetComp), _made_for_each),
    **dict.fromkeys((ast.Dict, ast.List, ast.Set), _display),
}


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
