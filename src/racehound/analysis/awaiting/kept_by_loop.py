"""Tasks that the loop itself keeps: its timer holds the future of a `sleep`, and that holds who waits for it."""

from racehound.analysis.program import Program
from racehound.source.events import Call, Pause
from racehound.source.facts import FunctionFacts

_CANCELLED = frozenset({"CancelledError"})
_DEPTH = 4
"""Coroutines that await each other are followed so far."""


def waits_for_the_clock(program: Program, coroutine: FunctionFacts, depth: int = _DEPTH) -> bool:
    """True if all that a coroutine waits for, itself or through others, is the clock, until it is cancelled."""
    ends = [
        caught.events
        for attempt in coroutine.attempts
        for caught in attempt.handlers
        if set(caught.names) <= _CANCELLED and caught.names
    ]
    pauses = [
        index
        for index, event in enumerate(coroutine.events)
        if isinstance(event, Pause) and not any(begin <= index < end for begin, end in ends)
    ]
    return bool(pauses) and depth > 0 and all(_is_a_sleep(program, coroutine, at, depth) for at in pauses)


def _is_a_sleep(program: Program, coroutine: FunctionFacts, at: int, depth: int) -> bool:
    call = coroutine.events[at - 1] if at else None
    if not isinstance(call, Call) or call.callee is None:
        return False
    if program.kinds.callee(coroutine, call.callee) == "asyncio.sleep":
        return True
    target = program.calls.target(coroutine, call)
    return target is not None and target.is_async and waits_for_the_clock(program, target, depth - 1)
