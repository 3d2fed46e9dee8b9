"""Functions that are registered and called back later, and what stands in for them.

    def subscribe(self, handler):               def emit(self, event):
        self._handlers.append(handler)              for handler in self._handlers:
                                                        handler(event)

Whom an event was told, and how often, is what such a class is for: so its stand-ins keep account of it. An entry
is the same for each call of a listener, so that the order in which two tasks call it makes no difference.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from racehound.scenario.elements import put_into, trees_near
from racehound.scenario.shapes import LISTENER
from racehound.scenario.stand_ins import imported
from racehound.scenario.usage import AWAITED, FUNCTION

_HANDING_ON: Final = frozenset(
    {"submit", "call_soon", "call_soon_threadsafe", "call_later", "run_in_executor", "to_thread", "partial"}
)


def listener(mark: str, names: Mapping[str, object], *, awaited: bool, fails: bool) -> str:
    """Something to be called that keeps account of it, and fails afterwards where it is to."""
    told = f"self.told.append({mark!r})"
    result = "1 / 0" if fails else f"{imported('asyncio', names)}.sleep(0)" if awaited else None
    body = told if result is None else f"{told} or {result}"
    members = (
        f"'__init__': lambda self: setattr(self, 'told', []), '__call__': lambda self, *args, **kwargs: {body}"
    )
    return f"type({LISTENER!r}, (), {{{members}}})()"


def has_listener(text: str) -> bool:
    return f"type({LISTENER!r}, " in text


def called_back_as(function: Callable[..., object], parameter: str, home: type | None) -> str | None:
    """How other code calls what a function keeps of a parameter in a container; None if none does.

    Who takes it out again calls it by the same name.
    """
    near = trees_near(function, home)
    takers = [each for each in near if _takes(each, parameter)]
    puts = [node for tree in takers for node in ast.walk(tree) if any(put_into(node, parameter))]
    kept_in = {field for node in puts for field in put_into(node, parameter)}
    place = next((at for node in puts for at in _places_beside_others(node, parameter)), None)
    found = {use for tree in near if kept_in for use in _calls(tree, kept_in, place)}
    return AWAITED if AWAITED in found else next(iter(found), None)


def _places_beside_others(node: ast.AST, name: str) -> Iterator[int]:
    """Where it stands in a tuple that is put somewhere."""
    for each in ast.walk(node):
        if isinstance(each, ast.Tuple) and not any(isinstance(item, ast.Starred) for item in each.elts):
            yield from (at for at, item in enumerate(each.elts) if isinstance(item, ast.Name) and item.id == name)


def _takes(tree: ast.AST, parameter: str) -> bool:
    return any(isinstance(node, ast.arg) and node.arg == parameter for node in ast.walk(tree))


def _calls(tree: ast.AST, kept_in: set[str], place: int | None) -> Iterator[str]:
    nodes = list(ast.walk(tree))
    taken: set[str] = set()
    for _ in range(2):  # what is taken from a container may be one, too
        taken |= {name for node in nodes for name in _taken(node, kept_in | taken, place)}
    awaited = [node.value for node in nodes if isinstance(node, ast.Await)]
    for node in nodes:
        match node:
            case ast.Call(func=called) if _is_one_of(called, taken, kept_in):
                yield AWAITED if node in awaited else FUNCTION
            case ast.Call(func=ast.Attribute(attr=verb), args=args) if verb in _HANDING_ON:
                yield from (FUNCTION for each in args if _is_one_of(each, taken, kept_in))
            case ast.Call(keywords=[*named]):
                yield from (FUNCTION for each in named if each.arg == "target" and _is_in(each.value, taken))


def _is_one_of(node: ast.expr, taken: set[str], kept_in: set[str]) -> bool:
    """Whether it is a name of what was taken from a container, or is just being taken."""
    return _is_in(node, taken) or (isinstance(node, ast.Subscript) and _mentions(node.value, kept_in))


def _is_in(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _taken(node: ast.AST, known: set[str], place: int | None) -> Iterator[str]:
    """Names of containers, or of what is in them."""
    match node:
        case ast.For(target=target, iter=held) | ast.AsyncFor(target=target, iter=held):
            pass
        case ast.comprehension(target=target, iter=held) | ast.Assign(targets=[target], value=held):
            pass
        case ast.NamedExpr(target=target, value=held):
            pass
        case _:
            return
    if _mentions(held, known):
        yield from _names_in(_part(target, place))


def _part(target: ast.expr, place: int | None) -> ast.expr:
    """What is bound to the item at that place of what was put there."""
    tuples = [each for each in ast.walk(target) if isinstance(each, ast.Tuple)]
    if place is None or not tuples or place >= len(tuples[-1].elts):
        return target
    return tuples[-1].elts[place]


def _names_in(target: ast.expr) -> Sequence[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _mentions(node: ast.expr, known: set[str]) -> bool:
    parts = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name | ast.Attribute))
    return any(ast.unparse(inner) in known for inner in parts)
