"""What `asyncio.as_completed` is given is started in the order of a set, which is that of addresses.

Coroutines cannot be numbered as tasks are, so here they are started in the order in which they were given, or in
the reverse of it: what depends on that shows in serial runs, and is not compared. There may be other orders, and
the verdict says so.
"""

from asyncio import tasks
from collections.abc import Iterable, Iterator, Sequence
from types import CoroutineType
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.primitives.replacement import Replacement

ANY_ORDER = "`asyncio.as_completed` starts coroutines in any order, and not all of them were tried"


def collected(items: Iterable[Any] = ()) -> set[Any]:
    """In place of `set`."""
    given = list(items)
    if not any(isinstance(item, CoroutineType) for item in given):
        return set(given)
    execution = CONTROL.in_charge()
    if execution is not None and len(given) > 1:
        execution.caveat(ANY_ORDER)
    return Arrivals(given[::-1] if CONTROL.contrary else given)


class Arrivals(set[Any]):
    """A set that nobody changes, gone through in the order in which it was filled."""

    def __init__(self, items: Sequence[Any]) -> None:
        super().__init__(items)
        self._order = dict.fromkeys(items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._order)


REPLACEMENTS: Final = (Replacement(tasks, "set", collected),)
