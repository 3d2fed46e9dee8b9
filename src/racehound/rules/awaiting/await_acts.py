"""What an act behind an await does to the state: it makes an object, notes an answer, or empties it."""

import re
from collections.abc import Iterable

from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import is_state
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_maker
from racehound.rules.state.kept_objects import is_looked_up
from racehound.source.events import Action, Call, Pause, Shape, Value


def is_answer(act: Use) -> bool:
    """True for `self._config = await self._ask()`, where nothing is made that somebody must close."""
    if is_looked_up(act):
        return True
    before = act.function.events[max(act.index - 2, 0) : act.index]
    asked = [event.method for event in before if isinstance(event, Call)]
    awaited = any(isinstance(event, Pause) for event in before)
    return awaited and bool(asked) and not is_maker(asked[-1])


def is_awaited_object(act: Use) -> bool:
    """True for `self._link = await connect()`."""
    before = act.function.events[max(act.index - 2, 0) : act.index]
    awaited = any(isinstance(event, Pause) for event in before)
    return awaited and any(isinstance(event, Call) and is_maker(event.method) for event in before)


def empties(act: Use) -> bool:
    """True for `self._buffer = []`: what was filled is handed on, and nothing is set up."""
    values = act.touch.values
    return bool(values) and all(value.shape is Shape.CONTAINER or value.name == "0" for value in values)


def is_zero(act: Use) -> bool:
    values = act.touch.values
    return bool(values) and all(value.shape is Shape.CONSTANT and value.name == "0" for value in values)


def is_mark(changes: Iterable[Use]) -> bool:
    """True if all that is ever stored are flags and names of states, which say how far somebody has come."""
    return all(
        use.touch.action is Action.WRITE
        and bool(use.touch.values)
        and all(_marks(use, value) for value in use.touch.values)
        for use in changes
    )


def _marks(use: Use, value: Value) -> bool:
    """A constant, a state by its name, or one that the caller names: `self._state = state`."""
    if value.shape is Shape.CONSTANT or is_state(value):
        return True
    place = value.place if value.shape is Shape.PLACE else None
    return place is not None and place.root in use.function.parameters and _STATE.fullmatch(str(place)) is not None


_STATE = re.compile(r"(\w+_)?(state|status|phase|stage|mode)")


def is_closed_before(act: Use) -> bool:
    """True for `await self._link.close()`, `self._link = None`."""
    if not is_cleared(act):
        return False
    before = act.function.events[max(act.index - 3, 0) : act.index]
    return any(
        isinstance(event, Call)
        and event.receiver is not None
        and event.receiver.place == act.touch.place
        and TEARDOWN.match(event.method.lstrip("a")) is not None
        for event in before
    )


def is_cleared(act: Use) -> bool:
    """True if the act puts the state back to nothing: doing so twice is seldom wrong."""
    values = act.touch.values
    return bool(values) and all(
        value.shape is Shape.CONSTANT and value.name in {"None", "False"} for value in values
    )


def is_issued(act: Use) -> bool:
    """True for a token or a session that is asked for: each one who asks is given another."""
    name = (act.touch.place.attributes or (act.touch.place.root,))[-1]
    return _ISSUED.search(name) is not None and own_read(act.function, act.index) is None


_ISSUED = re.compile(
    r"(^|_)(token|session|jwt|ticket|lease|nonce|cookie|credentials?|conn|connection|ws|websocket|channel)$"
)
