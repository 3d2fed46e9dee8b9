"""What an argument has to be like, told by all that some code asks of it.

def hit(request):                       type('StandIn', (), {
user = request.user.id                  'user': type('StandIn', (), {'id': 'a'})(),
if request.method == "POST":            'method': 'POST',
return request.form["name"]         'form': {'name': 'a'}})()
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from racehound.scenario.stand_ins import awaitable_function, imported

NAME: Final = "StandIn"
"""The class of all stand-ins: whoever sees it in a scenario knows what it is."""
SHARED: Final = "SharedStandIn"
"""Of those that are one and the same for all calls of a scenario."""
OWN: Final = "OwnStandIn"
"""Of those that the code puts something into: each call has one of its own."""
LISTENER: Final = "Listener"
"""Of those that are registered to be called back; one and the same for all calls, likewise."""
ANSWER: Final = "'a'"
_PLAIN: Final = {str: ANSWER, bytes: "b'a'", dict: "{'a': 1}", list: "[1]", set: "{1}", int: "1", float: "1.0"}
_READING: Final = frozenset({"get", "pop", "getlist", "setdefault"})
_NUMBERS: Final = frozenset({"float", "int", "Decimal"})
_TAKING: Final = re.compile(r"acquire|lock|enter")
_GIVING: Final = re.compile(r"release|unlock|leave|exit")
_BY_WITH: Final = ("__enter__", "__exit__")
_BY_ASYNC_WITH: Final = ("__aenter__", "__aexit__")
_DEEPEST: Final = 4


@dataclass(slots=True)
class Shape:
    """What is asked of a value."""

    attributes: dict[str, "Shape"] = field(default_factory=dict)
    keys: dict[str, "Shape"] = field(default_factory=dict)
    result: "Shape | None" = None
    """Of what is called, what the call returns."""
    awaited: bool = False
    constants: list[str] = field(default_factory=list)
    """What it is compared with."""
    number: str | None = None
    written: bool = False
    """Whether something is put into it."""

    entered: tuple[str, ...] = ()
    """The methods that `with` calls, where something is done with it."""

    @property
    def is_lock(self) -> bool:
        """Whether it is taken and given back, so that what stands in for it has to keep others out."""
        called = [name for name, each in self.attributes.items() if each.result is not None]
        is_given_back = any(map(_TAKING.match, called)) and any(map(_GIVING.match, called))
        return is_given_back or bool(self.entered)

    @property
    def leads_to_lock(self) -> bool:
        parts = (*self.attributes.values(), *self.keys.values(), self.result)
        return self.is_lock or any(part.leads_to_lock for part in parts if part is not None)

    @property
    def is_asked_for_anything(self) -> bool:
        return bool(self.attributes or self.keys)

    @property
    def is_plain(self) -> bool:
        """Whether one of the built-in values does."""
        methods = all(each.result is not None for each in self.attributes.values())
        known = any(all(hasattr(kind, name) for name in self.attributes) for kind in _PLAIN)
        return methods and known and not self.leads_to_lock

    def text(self, names: Mapping[str, object], depth: int = _DEEPEST) -> str:
        """An expression for a value of this shape."""
        if self.constants:
            return self.constants[0]
        if self.is_lock:
            return self._lock(names, depth)
        if depth <= 0 or not self.is_asked_for_anything:
            return self.number or ANSWER
        items = ", ".join(f"{name!r}: {each.text(names, depth - 1)}" for name, each in sorted(self.keys.items()))
        if self.keys and set(self.attributes) <= set(dir(dict)):
            return f"{{{items}}}"
        if self.is_plain:
            return next(
                text for kind, text in _PLAIN.items() if all(hasattr(kind, name) for name in self.attributes)
            )
        members = ", ".join(
            f"{name!r}: {each.member(names, depth - 1)}" for name, each in sorted(self.attributes.items())
        )
        base = "dict," if self.keys else ""
        kind = OWN if self.written else NAME
        return f"type({kind!r}, ({base}), {{{members}}})({f'{{{items}}}' if items else ''})"

    def _lock(self, names: Mapping[str, object], depth: int) -> str:
        """What is taken and given back is one lock: nobody knows whom the real one lets in."""
        awaited = self.entered == _BY_ASYNC_WITH or any(each.awaited for each in self.attributes.values())
        library = "asyncio" if awaited else "threading"
        members = ", ".join(
            f"{name!r}: {_of_lock(name, each) or each.member(names, depth - 1)}"
            for name, each in sorted({**self.attributes, **dict.fromkeys(self.entered, Shape())}.items())
        )
        lock = f"{imported(library, names)}.Lock()"
        return f"type({NAME!r}, (), {{'_held': (held := {lock}), {members}}})()"

    def member(self, names: Mapping[str, object], depth: int) -> str:
        """An expression for what an attribute is bound to."""
        if self.result is None:
            return self.text(names, depth)
        answer = self.result.text(names, depth)
        if self.result.leads_to_lock:  # who asks again is given the same one
            return f"(lambda *args, one={answer}, **kwargs: one)"
        return awaitable_function(names, answer) if self.awaited else f"(lambda *args, **kwargs: {answer})"


def _of_lock(name: str, shape: Shape) -> str | None:
    """What a method that takes or gives back is bound to; a `release_date` is neither."""
    if name.startswith("__"):
        return f"held.{name}"
    if shape.result is None:
        return None
    if _GIVING.match(name):
        return "held.release"
    return "held.acquire" if _TAKING.match(name) else None


def shape_of(trees: Iterator[ast.AST], held: str) -> Shape:
    """What is asked of something that goes by a name, or by an attribute as source text."""
    shape = Shape()
    for tree in trees:
        reader = _Reader(tree, held, shape)
        for _ in range(2):  # what is bound to a name may be used before the line that binds it
            reader.read()
    return shape


class _Reader:
    def __init__(self, tree: ast.AST, held: str, shape: Shape) -> None:
        self._nodes = list(ast.walk(tree))
        self._known = {held: shape}

    def read(self) -> None:
        for node in self._nodes:
            if isinstance(node, ast.expr):
                self._shape(node)
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._bind(name, value)
                case ast.Compare(left=left, ops=ops, comparators=others):
                    self._compare([left, *others], ops)
                case ast.BinOp(left=left, op=ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Pow(), right=right):
                    self._note_numbers([left, right], "1")
                case ast.AugAssign(target=target, value=value) if not isinstance(value, ast.List | ast.JoinedStr):
                    self._note_numbers([target], "1")
                case ast.Call(func=ast.Name(id=name), args=args) if name in _NUMBERS:
                    self._note_numbers(args, "'1'")
                case ast.With(items=items) | ast.AsyncWith(items=items):
                    self._enter(items, _BY_WITH if isinstance(node, ast.With) else _BY_ASYNC_WITH)

    def _bind(self, name: str, value: ast.expr) -> None:
        found = None if name in self._known else self._shape(value)
        if found is not None:
            self._known[name] = found

    def _enter(self, items: list[ast.withitem], methods: tuple[str, ...]) -> None:
        for shape in (self._shape(item.context_expr) for item in items):
            if shape is not None:
                shape.entered = methods

    def _compare(self, sides: list[ast.expr], ops: list[ast.cmpop]) -> None:
        if isinstance(ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            self._note_numbers(sides, "1")
        if isinstance(ops[0], ast.Eq):
            for one, other in pairwise(sides):
                self._equal(one, other)
                self._equal(other, one)

    def _equal(self, asked: ast.expr, known: ast.expr) -> None:
        shape = self._shape(asked)
        if shape is not None and isinstance(known, ast.Constant) and known.value is not None:
            shape.constants.append(ast.unparse(known))

    def _note_numbers(self, nodes: list[ast.expr], text: str) -> None:
        for shape in map(self._shape, nodes):
            if shape is not None:
                shape.number = shape.number or text

    def _shape(self, node: ast.expr) -> Shape | None:
        if isinstance(node, ast.Name | ast.Attribute):
            known = self._known.get(ast.unparse(node))
            if known is not None:
                return known
        match node:
            case ast.Attribute(value=value, attr=name):
                return self._attribute(value, name, isinstance(node.ctx, ast.Store))
            case ast.Call(func=ast.Attribute(value=value, attr=verb), args=[ast.Constant(value=str(key)), *_]) if (
                verb in _READING and isinstance(value, ast.Attribute | ast.Name)
            ):
                return self._key(value, key)
            case ast.Call(func=function):
                shape = self._shape(function)
                if shape is None:
                    return None
                shape.result = shape.result or Shape()
                return shape.result
            case ast.Await(value=ast.Call(func=function) as call):
                result, called = self._shape(call), self._shape(function)
                if called is not None:
                    called.awaited = True
                return result
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key))):
                return self._key(value, key)
        return None

    def _attribute(self, value: ast.expr, name: str, is_written: bool) -> Shape | None:
        owner = self._shape(value)
        if owner is None or name.startswith("__"):
            return None
        owner.written |= is_written
        return owner.attributes.setdefault(name, Shape())

    def _key(self, value: ast.expr, key: str) -> Shape | None:
        owner = self._shape(value)
        return None if owner is None else owner.keys.setdefault(key, Shape())
