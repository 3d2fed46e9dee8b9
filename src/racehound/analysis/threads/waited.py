"""Threads that their starter waits for at once: what they do is a step of the starter, as a call would be."""

from bisect import bisect
from itertools import islice, pairwise
from operator import itemgetter

from racehound.source.events import Acquire, Bind, Call, Flow, Place, Shape, Touch
from racehound.source.facts import FunctionFacts


def is_waited_for_at_once(function: FunctionFacts, made: Call) -> bool:
    """True for `thread = Thread(...)`, `thread.start()`, `thread.join()`, with nothing done beside it."""
    events = function.events
    at = next(index for index, call in function.calls_of(made.method) if call is made)
    bound = events[at + 1] if at + 1 < len(events) else None
    if not isinstance(bound, Bind):
        return False
    starts = function.calls_of("start")
    later = islice(starts, bisect(starts, at, key=itemgetter(0)), None)
    started = next((index for index, call in later if _is_of(call, bound.name, "start")), len(events))
    steps = (index for index in range(started + 1, len(events)) if _is_step(events[index], bound.name))
    following = next(steps, None)
    if following is None or not _is_of(events[following], bound.name, "join"):
        return False
    return Flow.LOOP not in events[started:following] if made.loop else True


def is_over_in(function: FunctionFacts, at: int) -> bool:
    """True if work that starts at an event is over when the function returns: a pool in a `with`, a join."""
    if _entered(function, at) is not None:
        return True
    joins = function.calls_of("join")
    later = islice(joins, bisect(joins, at, key=itemgetter(0)), None)
    return any(not call.arguments and call.callee is not None for _, call in later)


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
    if pool is None or pool.attributes or Acquire not in function.holds:
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
