"""Coroutines that a loop of their own runs to the end: nobody has the task, so nobody cancels it."""

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.program import Program
from racehound.source.events import Bind, Call
from racehound.source.facts import FunctionFacts

_RUNNING = "run_until_complete"


def is_run_on_own_loop(program: Program, function: FunctionFacts) -> bool:
    """True if all who call it hand it to `run_until_complete` of a loop that they have just made."""
    callers = program.callers.of(function)
    return bool(callers) and all(
        isinstance(call := caller.function.events[caller.at], Call) and _is_run(caller.function, call)
        for caller in callers
    )


def _is_run(function: FunctionFacts, call: Call) -> bool:
    return any(
        is_inside(call.span, runner.span) and runner.receiver is not None and _is_new(function, runner)
        for _, runner in function.calls_of(_RUNNING)
    )


def _is_new(function: FunctionFacts, runner: Call) -> bool:
    """True for a variable of the function that holds `new_event_loop()`."""
    place = runner.receiver.place if runner.receiver is not None else None
    if place is None or place.attributes or not function.calls_of("new_event_loop"):
        return False
    return any(isinstance(event, Bind) and event.name == place.root for event in function.events)
