"""What an act behind an await does to the state: it makes an object, notes an answer, or empties it."""

import re
from collections.abc import Iterable, Iterator

from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import is_state
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_maker
from racehound.rules.state.kept_objects import is_looked_up
from racehound.source.events import Action, Bind, Call, Decision, Event, Pause, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts


def is_answer(act: Use) -> bool:
    """True for `self._config = await self._ask()`, where nothing is made that somebody must close."""
    if is_looked_up(act):
        return True
    before = act.function.events[max(act.index - 2, 0) : act.index]
    asked = [event.method for event in before if isinstance(event, Call)]
    awaited = any(isinstance(event, Pause) for event in before)
    return awaited and bool(asked) and not is_maker(asked[-1])


def is_taken_from_answer(act: Use) -> bool:
    """True for `self.owner_id = answer.owner.id`: one fact out of what was asked for, the same for all who ask."""
    values, name = act.touch.values, (act.touch.place.attributes or (act.touch.place.root,))[-1]
    if not values or act.touch.action is not Action.WRITE or _OWNED.search(name):
        return False
    return all(value.shape is Shape.PLACE and _is_of_answer(act.function, value.place) for value in values)


def _is_of_answer(function: FunctionFacts, place: Place | None) -> bool:
    """True for an attribute of a variable that every one of its bindings gets from asking, not from making."""
    if place is None or not place.attributes or place.root not in function.bound:
        return False
    asked = [_asked(function, at) for at, event in enumerate(function.events) if _binds(event, place.root)]
    return bool(asked) and all(call is not None and not is_maker(call.method) for call in asked)


def _binds(event: Event, name: str) -> bool:
    return isinstance(event, Bind) and event.name == name


def _asked(function: FunctionFacts, at: int) -> Call | None:
    """The call whose awaited answer is bound there."""
    before = function.events[max(at - 2, 0) : at]
    if len(before) == 2 and isinstance(before[0], Call) and isinstance(before[1], Pause):
        return before[0]
    return None


_OWNED = re.compile(r"token|session|ticket|lease|nonce|cookie|conn|chann|sock|stream|reader|writer|client|task")
"""Names of what one of two who ask would lose."""


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


def is_compared_before(act: Use) -> bool:
    """True for `self._key = key` behind `if self._key == key: return`: all who come with the key store it."""
    values = act.touch.values
    if len(values) != 1 or values[0].shape is not Shape.PLACE or act.touch.action is not Action.WRITE:
        return False
    events, made_of = act.function.events, set(act.touch.sources)
    asked = (set(event.sources) for event in events[: act.index] if isinstance(event, Decision))
    return bool(made_of) and any(
        made_of <= sources and any(_is_look_at(events[at], act) for at in sources) for sources in asked
    )


def _is_look_at(event: Event, act: Use) -> bool:
    return isinstance(event, Touch) and event.place == act.touch.place


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


def is_after_making(act: Use) -> bool:
    """True for `await connection.run_sync(metadata.create_all)` and then `self._ready = True`.

    What is only fetched, or asked for, is the same for the one who does so a second time.
    """
    calls = (event for event in act.function.events if isinstance(event, Call))
    return any(_makes(name) for call in calls for name in (call.method, *_names_given(call)))


def _makes(name: str) -> bool:
    return _MAKING.search(name) is not None


def _names_given(call: Call) -> Iterator[str]:
    places = (value.place for value in call.arguments)
    return (place.attributes[-1] for place in places if place is not None and place.attributes)


_MAKING = re.compile(
    r"(^|_)(add|attach|begin|build|connect|create|dial|enter|insert|install|launch|make|migrate|open|publish|put|"
    r"register|reserve|save|send|set_?up|spawn|start|store|subscribe|write)(_|$)"
)


_ISSUED = re.compile(
    r"(^|_)(token|session|jwt|ticket|lease|nonce|cookie|credentials?|conn|connection|ws|websocket|channel)$"
)
