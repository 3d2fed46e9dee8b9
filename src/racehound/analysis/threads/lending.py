"""Helpers that start a task with something they are given."""

from collections.abc import Iterator

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.program import Program
from racehound.source.events import Call, Pause
from racehound.source.facts import FunctionFacts


def starts_with_it(program: Program, caller: FunctionFacts, call: Call) -> bool:
    """True if a plain function of the program gives its own argument to a task, and waits for nothing."""
    if not call.arguments:
        return False
    helper = program.calls.target(caller, call)
    if helper is None or helper.is_async or Pause in helper.holds:
        return False
    return any(_is_given(helper, made) for made in _made(program, helper))


def _made(program: Program, helper: FunctionFacts) -> Iterator[Call]:
    """Calls whose coroutine becomes a task, and not a member of a group that somebody waits for."""
    for start in program.coroutines.starts(helper):
        for event in helper.events[start.at :]:
            if isinstance(event, Call) and is_inside(start.call.span, event.span):
                kind = program.coroutines.kind_of_start(helper, event)
                if kind == "task":
                    yield start.call
                if kind is not None:
                    break


def _is_given(helper: FunctionFacts, made: Call) -> bool:
    own = helper.parameters[1:] if helper.is_method else helper.parameters
    return any(value.place is not None and value.place.root in own for value in made.arguments)
