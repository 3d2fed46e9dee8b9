"""Threads that their starter waits for at once: what they do is a step of the starter, as a call would be."""

from itertools import pairwise

from racehound.source.events import Acquire, Bind, Call, Place, Touch
from racehound.source.facts import FunctionFacts


def is_waited_for_at_once(function: FunctionFacts, made: Call) -> bool:
    """True for `thread = Thread(...)`, `thread.start()`, `thread.join()`, with nothing done beside it."""
    at = next(index for index, event in enumerate(function.events) if event is made)
    bound = function.events[at + 1] if at + 1 < len(function.events) else None
    if made.loop or not isinstance(bound, Bind):
        return False
    steps = (event for event in function.events[at + 1 :] if _is_step(event, bound.name))
    started = any(_is_of(step, bound.name, "start") for step in steps)
    following = next(steps, None)
    return started and following is not None and _is_of(following, bound.name, "join")


def is_over_in(function: FunctionFacts, at: int) -> bool:
    """True if work that starts at an event is over when the function returns: a pool in a `with`, a join."""
    call = function.events[at]
    pool = call.receiver.place if isinstance(call, Call) and call.receiver is not None else None
    entered = {
        bound.name
        for event, bound in pairwise(function.events[:at])
        if isinstance(event, Acquire) and isinstance(bound, Bind)
    }
    if pool is not None and pool.root in entered and not pool.attributes:
        return True
    later = (event for event in function.events[at + 1 :] if isinstance(event, Call))
    return any(item.method == "join" and not item.arguments and item.callee is not None for item in later)


def _is_step(event: object, thread: str) -> bool:
    """A call, or the use of something else than the thread."""
    return isinstance(event, Call) or (isinstance(event, Touch) and event.place.root != thread)


def _is_of(event: object, name: str, method: str) -> bool:
    return (
        isinstance(event, Call)
        and event.callee == Place(name, (method,))
        and not event.arguments
        and not event.keywords
    )
