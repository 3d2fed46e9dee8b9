"""Asynchronous contexts that a coroutine enters by hand and leaves to another method to leave.

If the coroutine is cancelled, or fails, at a later await, whoever called it has nothing to leave: the context
stays entered for ever.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.awaits import LIFECYCLE
from racehound.analysis.awaiting.skipped import is_protected
from racehound.analysis.flow.paths import Paths
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import SELF, Call, Event, Pause, Place
from racehound.source.facts import ClassFacts, FunctionFacts

ENTERING = frozenset({"__aenter__", "enter_async_context"})
_LEAVING = frozenset({"__aexit__", "aclose"})
_GROUPS = frozenset({"asyncio.TaskGroup", "anyio.create_task_group", "trio.open_nursery", "anyio.abc.TaskGroup"})


class Entered(NamedTuple):
    function: FunctionFacts
    enter: int
    """Index of the call that enters, or of the call of a helper that does."""
    pause: int
    """Index of the later await."""
    context: Place
    leaver: FunctionFacts
    leave: Call


def entered_by_hand(owner: ClassFacts, hierarchy: Hierarchy, kinds: Kinds) -> Iterator[Entered]:
    """The first await of each coroutine at which it may be stopped with the context entered."""
    for function in owner.methods.values():
        for enter, context in _entries(owner, function, hierarchy, kinds) if _begins(function) else ():
            left = next(_leavings(hierarchy, owner, context), None)
            pause = _stopped(function, enter) if left is not None and left[0] is not function else None
            if left is not None and pause is not None:
                yield Entered(function, enter, pause, context, *left)
                break


def _begins(function: FunctionFacts) -> bool:
    """True for a coroutine that begins the life of the object, and waits."""
    return function.is_async and Pause in function.holds and LIFECYCLE.fullmatch(function.name) is not None


def _entries(
    owner: ClassFacts, function: FunctionFacts, hierarchy: Hierarchy, kinds: Kinds
) -> Iterator[tuple[int, Place]]:
    """Calls that enter what a field holds, or call a method of the object that does."""
    for index, event in enumerate(function.events):
        if isinstance(event, Call):
            helper = _own(owner, event, hierarchy)
            for step in (event,) if helper is None else helper.events:
                context = _entered(step) if isinstance(step, Call) else None
                if context is not None and isinstance(step, Call) and _keeps_tasks(function, step, kinds):
                    yield index, context


def _own(owner: ClassFacts, call: Call, hierarchy: Hierarchy) -> FunctionFacts | None:
    """The method of the same object that is called, the inherited one for `super()`."""
    if call.callee == Place(SELF, (call.method,)):
        found = hierarchy.method(owner, call.method)
    elif call.receiver is not None and call.receiver.name == "super":
        bases = list(hierarchy.linear(owner))[1:]
        found = next((item.methods[call.method] for item in bases if call.method in item.methods), None)
    else:
        return None
    return found if found is not None and found.is_async else None


def _entered(call: Call) -> Place | None:
    """The field whose context is entered."""
    root, attributes = call.callee or Place("")
    is_field = root == SELF and call.method in ENTERING and len(attributes) > 1
    return Place(SELF, attributes[:-1]) if is_field else None


def _keeps_tasks(function: FunctionFacts, call: Call, kinds: Kinds) -> bool:
    """True for a group of tasks, entered itself or put on a stack."""
    value = call.receiver if call.method == "__aenter__" else next(iter(call.arguments), None)
    return value is not None and not _GROUPS.isdisjoint(kinds.value(function, value))


def _leavings(hierarchy: Hierarchy, owner: ClassFacts, context: Place) -> Iterator[tuple[FunctionFacts, Call]]:
    for function in hierarchy.effective(owner):
        for name in _LEAVING:
            for _, call in function.calls_of(name):
                if call.receiver is not None and call.receiver.place == context:
                    yield function, call


def _stopped(function: FunctionFacts, enter: int) -> int | None:
    """The first await behind the one that enters, unless a `try` stands around it, or it stands in a handler."""
    paths = Paths(function)
    pauses = [index for index in paths.pauses if index > enter][1:]
    bare = (at for at in pauses if not _is_handler(function, at) and not is_protected(function, at))
    return next((at for at in bare if paths.reaches(enter, at) and not _enters_more(function.events[at])), None)


def _enters_more(event: Event) -> bool:
    """True for an await that is over at once, most often."""
    return isinstance(event, Pause) and event.value.name in ENTERING


def _is_handler(function: FunctionFacts, index: int) -> bool:
    caught = (item.events for attempt in function.attempts for item in attempt.handlers)
    return any(begin <= index < end for begin, end in caught)
