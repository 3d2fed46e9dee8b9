"""Work whose starter asks for its result at once: as far as others can tell, the starter does it itself."""

from collections.abc import Sequence

from racehound.analysis.awaiting.coroutines import is_awaited, is_inside
from racehound.source.events import Bind, Call, Event, Flow, Pause, Place, Shape, Touch
from racehound.source.facts import FunctionFacts

_RESULTS = frozenset({"result", "get", "exception"})
_WRAPPED = frozenset({"create_task", "ensure_future", "shield", "run_coroutine_threadsafe"})


def is_asked_at_once(function: FunctionFacts, at: int) -> bool:
    """True for `pool.submit(work).result()`, and where that is done in two steps with nothing in between."""
    started, following = function.events[at], _event(function.events, at + 1)
    if not isinstance(started, Call):
        return False
    if isinstance(following, Bind):
        return _asks(_next_step(function.events, at + 2), Place(following.name))
    if not isinstance(following, Call) or following.receiver is None:
        return False
    is_its_result = following.receiver.shape is Shape.CALL and is_inside(started.span, following.span)
    return is_its_result and following.receiver.name == started.method and _is_patient(following)


def is_awaited_at_once(function: FunctionFacts, at: int) -> bool:
    """True for `await to_thread(work)`, and for `future = ...` with `await future` as the next step."""
    following = _event(function.events, at + 1)
    if isinstance(following, Bind):
        step = _next_step(function.events, at + 2)
        return isinstance(step, Pause) and not step.yields and step.value.place == Place(following.name)
    return is_awaited(function, at)


def is_awaited_task(function: FunctionFacts, at: int) -> bool:
    """True for a call whose coroutine becomes a task that is awaited at once."""
    made = function.events[at]
    for index in range(at + 1, len(function.events)):
        event = function.events[index]
        if not isinstance(made, Call) or not isinstance(event, Call) or not is_inside(made.span, event.span):
            return False
        if event.method not in _WRAPPED:
            return False
        if is_awaited_at_once(function, index):
            return True
    return False


def _event(events: Sequence[Event], index: int) -> Event | None:
    return events[index] if index < len(events) else None


def _next_step(events: Sequence[Event], index: int) -> Event | None:
    """What is done next; None where that hangs on a decision, or is done after a loop."""
    for event in events[index:]:
        if isinstance(event, Flow):
            return None
        if isinstance(event, Call | Pause | Touch):
            return event
    return None


def _asks(step: Event | None, future: Place) -> bool:
    return (
        isinstance(step, Call)
        and step.receiver is not None
        and step.receiver.place == future
        and _is_patient(step)
    )


def _is_patient(call: Call) -> bool:
    return call.method in _RESULTS and not call.arguments and not call.keywords
