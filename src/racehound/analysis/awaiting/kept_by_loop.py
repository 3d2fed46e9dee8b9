"""Tasks that the loop itself keeps: its timer holds the future of a `sleep`, and that holds who waits for it."""

from racehound.analysis.program import Program
from racehound.source.events import Call, Pause, Place
from racehound.source.facts import FunctionFacts

_CANCELLED = frozenset({"CancelledError"})
_DEPTH = 4
"""Coroutines that await each other are followed so far."""


def waits_for_the_clock(program: Program, coroutine: FunctionFacts, depth: int = _DEPTH) -> bool:
    """True if all that a coroutine ever waits for, itself or through others, is the clock.

    What it waits for when it has been cancelled does not count: whoever cancels a task that nobody keeps has it
    from `all_tasks()`, and so holds it.
    """
    pauses = _pauses(coroutine)
    return bool(pauses) and depth > 0 and all(_is_a_sleep(program, coroutine, at, depth) for at in pauses)


def sleeps_for_ever(coroutine: FunctionFacts) -> bool:
    """True for `await sleep(math.inf)`, and nothing else: it comes to an end by being cancelled alone.

    That is done by whoever ends the loop, who then waits for it and tells of what it raises.
    """
    pauses = _pauses(coroutine)
    before = [coroutine.events[at - 1] for at in pauses if at]
    return bool(pauses) and all(isinstance(event, Call) and _is_without_end(event) for event in before)


def _is_without_end(call: Call) -> bool:
    return len(call.arguments) == 1 and call.arguments[0].place == Place("math", ("inf",))


def _pauses(coroutine: FunctionFacts) -> list[int]:
    handlers = [caught for attempt in coroutine.attempts for caught in attempt.handlers]
    ends = [caught.events for caught in handlers if caught.names and set(caught.names) <= _CANCELLED]
    return [
        index
        for index, event in enumerate(coroutine.events)
        if isinstance(event, Pause) and not any(begin <= index < end for begin, end in ends)
    ]


def _is_a_sleep(program: Program, coroutine: FunctionFacts, at: int, depth: int) -> bool:
    call = coroutine.events[at - 1] if at else None
    if not isinstance(call, Call) or call.callee is None:
        return False
    if program.kinds.callee(coroutine, call.callee) == "asyncio.sleep":
        return True
    target = program.calls.target(coroutine, call)
    return target is not None and target.is_async and waits_for_the_clock(program, target, depth - 1)
