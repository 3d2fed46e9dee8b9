"""Containers that take in what an iterator gives them, one item after the other.

`items.extend(f(x) for x in source)` puts each item in place before it asks for the next one, so that others find
the container half filled. Each item is an operation of its own, published when it is there, before it is put in.
"""

from collections import deque
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.containers import HALFWAY, runs_code
from racehound.instrument.iteration import stepwise
from racehound.instrument.kinds import is_a
from racehound.instrument.parts import elements

_METHODS: Final[tuple[tuple[type, frozenset[str]], ...]] = (
    (list, frozenset({"extend", "__iadd__"})),
    (deque, frozenset({"extend", "extendleft", "__iadd__"})),
    (set, frozenset({"update"})),
    (dict, frozenset({"update", "__ior__"})),
)


def fills(container: object, method: str, given: object) -> bool:
    """Whether the method takes the items of an iterator one by one."""
    takes = any(is_a(container, kind) and method in methods for kind, methods in _METHODS)
    return takes and hasattr(type(given), "__next__") and not isinstance(given, Filling)


class Filling:
    """Hands the items on to the container."""

    __slots__ = ("_container", "_items", "_method", "_site")

    def __init__(self, site: int, container: object, method: str, given: object) -> None:
        self._site = site
        self._container = container
        self._method = method
        items: Any = stepwise(site, given)
        self._items = iter(items)

    def __iter__(self) -> "Filling":
        return self

    def __next__(self) -> object:
        item: object = next(self._items)
        execution = CONTROL.here()
        if execution is not None:
            number = execution.number(self._container)
            if is_a(self._container, (set, dict)) and any(map(runs_code, (item, *elements(item)))):
                execution.opaque(number, HALFWAY.format(self._method))
            effect = Effect(number, WHOLE, writes=True)
            execution.step(Operation(Kind.WRITE, (effect,), self._site, self._container, self._method))
        return item
