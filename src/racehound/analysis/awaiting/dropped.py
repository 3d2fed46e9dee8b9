"""Tasks that an object starts and, when it is closed or its block is left, only forgets."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_none
from racehound.model.doubt import Sureness
from racehound.model.task_doubts import TaskDoubt
from racehound.source.events import SELF, Action, Call, Pause, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_STARTERS = frozenset({"create_task", "ensure_future"})
_QUESTIONS = frozenset({"", "done", "cancelled"})


class Dropped(NamedTuple):
    start: Use
    end: Use
    sureness: Sureness = TaskDoubt.LET_GO.likely


def dropped_tasks(program: Program) -> Iterator[Dropped]:
    for owner in program.hierarchy.classes:
        if any(method.is_async for method in owner.methods.values()):
            yield from _of_class(program, owner)


def _of_class(program: Program, owner: ClassFacts) -> Iterator[Dropped]:
    for uses in program.fields.of_class(owner).values():
        starts = [use for use in uses if _starts(use)]
        ends = [use for use in uses if _forgets(use) and use.function.owner is owner]
        if starts and ends and all(_is_idle(use) for use in uses):
            yield Dropped(starts[0], ends[0])
        elif starts and all(_is_idle(use) for use in uses):
            yield from _left_running(program, owner, starts[0])


def _left_running(program: Program, owner: ClassFacts, start: Use) -> Iterator[Dropped]:
    """What `__aenter__` starts and `__aexit__` has nothing to do with, not even by a flag or a queue."""
    leave = owner.methods.get("__aexit__")
    work = _work(program, start)
    if start.function.name != "__aenter__" or leave is None or work is None:
        return
    if _fields(leave).isdisjoint(_fields(work)) and not any(isinstance(event, Call) for event in leave.events):
        touch = start.touch._replace(span=leave.span)
        yield Dropped(start, start._replace(function=leave, index=0, touch=touch))
        return
    steps = (work, *(program.hierarchy.overriding(work.owner, work.name) if work.owner is not None else ()))
    for step in steps:
        for closed in _closes_under(leave, step):
            touch = start.touch._replace(span=closed.span)
            sureness = TaskDoubt.LET_GO.likely if _sleeps(step) else TaskDoubt.ENDED_BY_CLOSING.likely
            yield Dropped(start, start._replace(function=leave, index=0, touch=touch), sureness)
            return


def _sleeps(work: FunctionFacts) -> bool:
    return any(call.loop for _, call in work.calls_of("sleep"))


def _waits(work: FunctionFacts) -> bool:
    """True for a loop that waits for something, and has no handler for what closing makes of that."""
    return not work.attempts and any(
        isinstance(call, Call) and call.loop and isinstance(pause, Pause) and not pause.yields
        for call, pause in pairwise(work.events)
    )


def _closes_under(leave: FunctionFacts, work: FunctionFacts) -> Iterator[Call]:
    """Calls that close what a loop works with again and again, whenever it wakes."""
    if not _sleeps(work) and not _waits(work):
        return
    used = {
        Place(SELF, event.callee.attributes[:1])
        for event in work.events
        if isinstance(event, Call) and event.loop and event.callee is not None and event.callee.root == SELF
        if _sleeps(work) or not _READING.match(event.method)
    }
    for name in _CLOSING:
        for _, call in leave.calls_of(name):
            if call.receiver is not None and call.receiver.place in used:
                yield call


_READING = re.compile(r"_*(read|recv|receive|get|next)")
"""What such a method waits for ends with the close, by an empty answer, and so does the loop."""
_CLOSING = ("close", "aclose", "disconnect", "shutdown")


def _work(program: Program, start: Use) -> FunctionFacts | None:
    """The coroutine that the task runs."""
    given = [value.arguments[0] for value in start.touch.values if value.arguments]
    places = [value.place for value in given if value.place is not None]
    found = program.kinds.callee(start.function, places[0]) if places else None
    return found if isinstance(found, FunctionFacts) else None


def _fields(function: FunctionFacts) -> set[str]:
    touches = (event for event in function.events if isinstance(event, Touch))
    return {touch.place.attributes[0] for touch in touches if touch.place.attributes}


def _starts(use: Use) -> bool:
    return use.touch.action is Action.WRITE and any(
        value.shape is Shape.CALL and value.name in _STARTERS for value in use.touch.values
    )


def _forgets(use: Use) -> bool:
    cleared = use.touch.action is Action.WRITE and any(is_none(value) for value in use.touch.values)
    return cleared and bool(TEARDOWN.match(use.function.name))


def _is_idle(use: Use) -> bool:
    """Written, or asked how it is: nobody cancels it, waits for it or hands it on."""
    if use.touch.action in {Action.WRITE, Action.CHECK}:
        return use.touch.method in _QUESTIONS
    return use.touch.action is Action.READ and use.touch.method in _QUESTIONS - {""}
