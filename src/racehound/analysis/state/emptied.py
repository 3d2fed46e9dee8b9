"""Containers that are given away, and emptied only after that: what came in meanwhile goes with the rest."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import ADDERS
from racehound.source.events import Action, Bind, Call, Flow, Pause, Place, Shape, Touch
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
    if not any(map(empties, own)):
        return
    added = [use for use in uses if adds(use) and outer_method(use.function) is not outer_method(function)]
    for last in own if added else ():
        if not empties(last):
            continue
        for first in own:
            call = _given_to(function, first) or _given_as_copy(function, first)
            if call is None and all(use.touch.method in _OF_LISTS for use in added):
                call = _given_one_by_one(function, first)
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


def _given_as_copy(function: FunctionFacts, use: Use) -> int | None:
    """The call that is given a copy under a name of its own, made of all items or of what they say.

    A coroutine awaits it: only there do others come in between.
    """
    name = _copied_to(function, use)
    for at, event in enumerate(function.events[use.index + 1 : -1], use.index + 1) if name else ():
        if isinstance(event, Call) and any(value.place == Place(name) for value in event.arguments):
            is_open = (
                isinstance(function.events[at + 1], Pause) if function.is_async else event.method not in _COPIES
            )
            return at if is_open else None
    return None


def _given_one_by_one(function: FunctionFacts, use: Use) -> int | None:
    """The first call in `for line in self._lines: stream.write(line)` that is given what the loop is at."""
    match function.events[use.index : use.index + 4]:
        case [Touch(action=Action.ITERATE), Flow.FORK, Flow.LOOP, Bind(name=name)]:
            begin = use.index + 4
        case _:
            return None
    for at in range(begin, _end_of_loop(function, begin)):
        event = function.events[at]
        if isinstance(event, Call) and any(value.place == Place(name) for value in event.arguments):
            return at
    return None


def _copied_to(function: FunctionFacts, use: Use) -> str:
    """The variable of `batch = list(self._rows)` and `batch = [row.text for row in self._rows]`."""
    place, end = use.touch.place, use.index + 1
    if use.touch.action is Action.ITERATE and function.events[end : end + 1] == [Flow.LOOP]:
        end = _end_of_loop(function, end) + 1
        following = function.events[end] if end < len(function.events) else None
        made = isinstance(following, Bind) and any(value.shape is Shape.CONTAINER for value in following.values)
        return following.name if made and isinstance(following, Bind) else ""
    for event in function.events[end : end + 3]:
        if isinstance(event, Bind):
            copies = (value for value in event.values if value.name in _KEEPING)
            return event.name if any(item.place == place for value in copies for item in value.arguments) else ""
    return ""


_OF_LISTS = frozenset({"append", "appendleft", "extend", "insert"})
"""What a loop over a list does not notice; one over a table raises."""
_KEEPING = frozenset({"list", "tuple", "set", "dict", "sorted"})


def _end_of_loop(function: FunctionFacts, begin: int) -> int:
    """Loops of a comprehension do not nest: the next mark ends it."""
    rest = range(begin + 1, len(function.events))
    return next((at for at in rest if function.events[at] is Flow.LOOP), len(function.events))


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
