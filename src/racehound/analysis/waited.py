"""Threads that their starter waits for at once: what they do is a step of the starter, as a call would be."""

from itertools import pairwise

from racehound.source.events import Acquire, Bind, Call, Place, Shape, Touch
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
    if _entered(function, at) is not None:
        return True
    later = (event for event in function.events[at + 1 :] if isinstance(event, Call))
    return any(item.method == "join" and not item.arguments and item.callee is not None for item in later)


def is_given_once(function: FunctionFacts, at: int) -> bool:
    """True for `pool.submit(work)` outside of loops, in the `with` that makes the pool and waits for its end.

    One run of the function has one such piece of work, beside the others that it gives to the pool.
    """
    call, entered = function.events[at], _entered(function, at)
    if not isinstance(call, Call) or call.method != "submit" or call.loop or entered is None:
        return False
    return entered.value.shape is Shape.CALL


def _entered(function: FunctionFacts, at: int) -> Acquire | None:
    """The `with` that has opened the pool to which a call gives work."""
    call = function.events[at]
    pool = call.receiver.place if isinstance(call, Call) and call.receiver is not None else None
    if pool is None or pool.attributes:
        return None
    entries = (
        event
        for event, bound in pairwise(function.events[:at])
        if isinstance(event, Acquire) and isinstance(bound, Bind) and bound.name == pool.root
    )
    return next(entries, None)


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
