"""Containers that are given away, and emptied only after that: what came in meanwhile goes with the rest."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.fields import Use
from racehound.analysis.hazards import ADDERS
from racehound.analysis.hierarchy import outer_method
from racehound.analysis.paths import Paths
from racehound.source.events import Action, Call, Shape
from racehound.source.facts import FunctionFacts


class Emptied(NamedTuple):
    given: Use
    emptied: Use
    call: int
    """What it is given to; an await follows where that is a coroutine."""
    added: tuple[Use, ...]
    """By other functions."""


def emptied_late(function: FunctionFacts, paths: Paths, uses: list[Use]) -> Iterator[Emptied]:
    own = [use for use in uses if use.function is function]
    added = [use for use in uses if adds(use) and outer_method(use.function) is not outer_method(function)]
    for last in own if added else ():
        if not empties(last):
            continue
        for first in own:
            call = _given_to(function, first)
            if call is None or not paths.reaches(call, last.index):
                continue
            if not any(use.changes and first.index < use.index < last.index for use in own):
                yield Emptied(first, last, call, tuple(added))
                return


def _given_to(function: FunctionFacts, use: Use) -> int | None:
    """The call that is given the container itself: `self._send(self._rows)`."""
    touch = use.touch
    if touch.action is not Action.READ or touch.method or touch.key is not None:
        return None
    return next((at for at in range(use.index + 1, len(function.events)) if _takes(function, at, use)), None)


def _takes(function: FunctionFacts, at: int, use: Use) -> bool:
    call = function.events[at]
    if not isinstance(call, Call):
        return False
    if call.method in _COPIES:
        return False
    given = (*call.arguments, *(value for _, value in call.keywords))
    return any(value.shape is Shape.PLACE and value.place == use.touch.place for value in given)


_COPIES = frozenset({"list", "tuple", "set", "dict", "sorted", "len", "copy", "deepcopy", "str", "repr", "bool"})
"""At once, and for good: what comes in later is not meant."""


def empties(use: Use) -> bool:
    touch = use.touch
    if touch.action is Action.MUTATE:
        return touch.method == "clear"
    made = touch.action is Action.WRITE and bool(touch.values)
    return made and all(value.shape is Shape.CONTAINER and not value.arguments for value in touch.values)


def adds(use: Use) -> bool:
    return use.changes and (use.touch.action is Action.WRITE_ITEM or use.touch.method in ADDERS)
