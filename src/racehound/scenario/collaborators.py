"""Objects that a class is given to work with, of which nothing is known but what it calls on them.

    class Tokens:
        def __init__(self, client):
            self._client = client

        async def token(self):
            self._token = await self._client.ask()

What stands in for the client has a coroutine `ask`, and nothing else. The real one may do anything, so nothing is
called safe that was raced with a stand-in.

What goes by the same name in another method of the class is taken to be the same: where one method keeps a
`client` and another one calls `client.send()`, both are given one that can send.
"""

import ast
from collections.abc import Callable, Mapping

from racehound.scenario.elements import other_names, trees_near
from racehound.scenario.shapes import NAME, OWN, SHARED, Shape, shape_of
from racehound.scenario.usage import kept_as, tree_of, trees_of_class


def stand_in(
    function: Callable[..., object],
    parameter: str,
    owner: type | None,
    names: Mapping[str, object],
    *,
    home: type | None = None,
) -> str | None:
    """An object with what is asked of a parameter; None where a plain value has that, too.

    Of a constructor (of `owner`) all methods ask; `home` is the class whose method the function is.
    """
    tree = tree_of(function)
    if tree is None:
        return None
    shape = _shape(tree, parameter, owner)
    if owner is None and shape.is_plain:
        near = trees_near(function, home)
        for name in sorted(other_names(tree, parameter, near)):
            _merge(shape, shape_of(iter(near), name))
    is_table = bool(shape.keys) and set(shape.attributes) <= set(dir(dict))
    return None if shape.is_plain and not is_table else shape.text(names)


def _shape(tree: ast.AST, parameter: str, owner: type | None) -> Shape:
    shape = shape_of(iter((tree,)), parameter)
    fields = [kept for name, kept in kept_as(tree) if name == parameter] if owner is not None else []
    for kept in fields:
        _merge(shape, shape_of(iter(trees_of_class(owner)), kept))
    return shape


def _merge(shape: Shape, other: Shape) -> None:
    """Ask also what is asked of the other."""
    shape.attributes |= other.attributes
    shape.keys |= other.keys
    shape.constants += other.constants
    shape.number = shape.number or other.number
    shape.written |= other.written
    shape.entered = shape.entered or other.entered


def is_made_up(text: str) -> bool:
    """Whether something stands in for an object in a piece of a scenario."""
    return any(f"type({name!r}, " in text for name in (NAME, SHARED, OWN))


def with_one_for_all(text: str) -> str:
    """The call with a stand-in that is the same for all calls that have one of its kind."""
    return text.replace(f"type({NAME!r}, (), ", f"type({SHARED!r}, (), ")
