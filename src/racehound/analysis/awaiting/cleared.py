"""Objects that a coroutine has found there, and uses after an await during which others may take them away."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Place, Shape
from racehound.source.facts import FunctionFacts

CALLED_BACK = re.compile(r"_*(on|handle|connection|callback)_|\w+_(callback|cb|lost|made|closed|disconnected)$")
"""Methods that the loop or a library calls, whatever a coroutine of the object waits for."""
_RECKONED = frozenset({"AttributeError", "TypeError", "Exception", "BaseException"})


class Counted(NamedTuple):
    look: Use
    pause: int
    use: Use
    """Takes it for granted that the object is there still."""
    clear: Use


def counted_on(function: FunctionFacts, paths: Paths, uses: list[Use]) -> Iterator[Counted]:
    own = [use for use in uses if use.function is function]
    clears = [use for use in uses if is_cleared(use) and outer_method(use.function) is not outer_method(function)]
    looks = [use for use in own if _asks(use) or _counts_on(use)]
    for use in own if clears and looks else ():
        if not _counts_on(use) or any(item.guards(use.index, _RECKONED) for item in function.attempts):
            continue
        if _has_own_name(function, Place(SELF, use.touch.place.attributes[:1])):
            continue
        deciding = [look for look in looks if _tells(paths, look, use)]
        pause = paths.pause_between(deciding[-1].index, use.index) if deciding else None
        if pause is None or _is_renewed(own, pause, use.index):
            continue
        taken = (item for item in clears if _is_of(item, use) and not _calls(function, item))
        clear = next((item for item in taken if not item.locks & use.locks), None)
        if clear is not None:
            yield Counted(deciding[-1], pause, use, clear)
            return


def is_cleared(use: Use) -> bool:
    values = use.touch.values
    emptied = bool(values) and all(value.shape is Shape.CONSTANT and value.name == "None" for value in values)
    return emptied and use.touch.action is Action.WRITE and use.touch.place.root == SELF


def _is_of(clear: Use, use: Use) -> bool:
    """True if the use goes by way of what is cleared: of `self.link.peer.send()`, `self.link` or its peer."""
    ours, theirs = use.touch.place.attributes, clear.touch.place.attributes
    return ours[: len(theirs)] == theirs and (len(ours) > len(theirs) or bool(use.touch.method))


def _tells(paths: Paths, look: Use, use: Use) -> bool:
    """True if the later use comes only where the object was there: it was asked for, or has been used."""
    if _asks(look):
        return paths.decided_by(look.index, use.index)
    return paths.is_sure_before(look.index, use.index)


def _asks(use: Use) -> bool:
    return use.touch.action is Action.CHECK and use.touch.key is None and not use.touch.method


def _counts_on(use: Use) -> bool:
    """A method or an attribute of the object is used: there is none of `None`."""
    touch = use.touch
    if touch.action is Action.CHECK and not touch.method:
        return False
    return bool(touch.method) or len(touch.place.attributes) > 1


def _has_own_name(function: FunctionFacts, field: Place) -> bool:
    """True where the function has the object by a name of its own, which nobody takes away."""
    return any(value.place == field for values in function.bindings.values() for value in values)


def _is_renewed(own: list[Use], pause: int, use: int) -> bool:
    return any(pause < item.index < use and (item.changes or item.touch.action is Action.CHECK) for item in own)


def _calls(function: FunctionFacts, clear: Use) -> bool:
    """True if the coroutine itself has the object taken away."""
    name = outer_method(clear.function).name
    return any(call.callee == Place(SELF, (name,)) for _, call in function.calls_of(name))


def is_tear_down(function: FunctionFacts) -> bool:
    return any(TEARDOWN.match(name) for name in (function.name, function.name.removeprefix("async_").lstrip("_a")))
