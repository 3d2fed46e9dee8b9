"""Objects that a class is given to work with, of which nothing is known but what it calls on them.

    class Tokens:
        def __init__(self, client):
            self._client = client

        async def token(self):
            self._token = await self._client.ask()

What stands in for the client has a coroutine `ask`, and nothing else. The real one may do anything, so nothing is
called safe that was raced with a stand-in.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from racehound.scenario.stand_ins import awaitable_function
from racehound.scenario.usage import kept_as, tree_of, trees_of_class

NAME: Final = "StandIn"
"""The class of all stand-ins: whoever sees it in a scenario knows what it is."""
_PLAIN: Final = (str, bytes, dict, list, set, int, float)
_ANSWER: Final = "'a'"


def stand_in(
    function: Callable[..., object], parameter: str, owner: type | None, names: Mapping[str, object]
) -> str | None:
    """An object with the methods that are called on a parameter; None where a plain value has them, too."""
    methods = _methods(function, parameter, owner)
    if not methods or any(all(hasattr(kind, name) for name in methods) for kind in _PLAIN):
        return None
    texts = (
        f"{name!r}: {awaitable_function(names, _ANSWER) if awaited else _answering()}"
        for name, awaited in sorted(methods.items())
    )
    return f"type({NAME!r}, (), {{{', '.join(texts)}}})()"


def _answering() -> str:
    return f"(lambda *args, **kwargs: {_ANSWER})"


def _methods(function: Callable[..., object], parameter: str, owner: type | None) -> dict[str, bool]:
    """Methods by name, and whether what they return is awaited; of a constructor (of `owner`) by all methods."""
    tree = tree_of(function)
    if tree is None:
        return {}
    found = dict(_called(tree, parameter))
    if owner is not None:
        fields = [field for name, field in kept_as(tree) if name == parameter]
        found |= dict(each for tree in trees_of_class(owner) for field in fields for each in _called(tree, field))
    return found


def _called(tree: ast.AST, held: str) -> Iterator[tuple[str, bool]]:
    """What is called on something; awaited calls come last."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    awaited = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Await)}
    for call in sorted(calls, key=lambda call: id(call) in awaited):
        match call.func:
            case ast.Attribute(value=value, attr=name) if ast.unparse(value) == held:
                yield name, id(call) in awaited


def is_made_up(text: str) -> bool:
    """Whether something stands in for an object in a piece of a scenario."""
    return f"type({NAME!r}, " in text
