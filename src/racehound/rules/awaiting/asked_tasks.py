"""Who may ask tasks how they ended, after somebody has waited for them."""

from racehound.source.events import Call, Place, Shape, Value
from racehound.source.facts import FunctionFacts

_STARTERS = frozenset({"create_task", "ensure_future"})


def additions(function: FunctionFacts, name: str) -> int:
    """Mentions of a collection that ask none of the tasks in it."""
    adds = {Place(name, ("append",)), Place(name, ("add",))}
    return sum(
        isinstance(event, Call)
        and (event.callee in adds or (event.method == "len" and event.arguments[:1] == (_named(name),)))
        for event in function.events
    )


def is_handed_on(function: FunctionFacts, waits: Call) -> bool:
    """True if a task that the function has started is given to a later step by its own name: that one asks it."""
    started = {
        _named(name)
        for name, values in function.bindings.items()
        if any(value.shape is Shape.CALL and value.name in _STARTERS for value in values)
    }
    later = (event for event in function.events[function.events.index(waits) + 1 :] if isinstance(event, Call))
    return any(value in started for event in later for value in event.arguments)


def _named(name: str) -> Value:
    return Value(Shape.PLACE, place=Place(name))
