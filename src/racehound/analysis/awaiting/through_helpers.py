"""Looks at a field that a coroutine leaves to a helper of the same object, as if it looked itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from racehound.analysis.locking.locksets import Locksets
from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Call, Decision, Event, Exit, Pause, Shape, Touch
from racehound.source.facts import FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.program import Program

_LOOKS = frozenset({Action.READ, Action.CHECK})
_SHORT = 12
"""Events of a helper that does nothing but look and answer."""


def looks_through_helpers(
    function: FunctionFacts, uses: list[Use], hierarchy: Hierarchy, locksets: Locksets
) -> Iterator[Use]:
    """Calls of short helpers, and uses of properties, that look at the field and change nothing."""
    owner = function.owner
    looks = {use.function: use for use in uses if use.function is not function and _is_plain_look(use)}
    if owner is None or not looks or not any(use.changes and use.function is function for use in uses):
        return
    for index, event in enumerate(function.events):
        name = _asked(event)
        if name is None or not isinstance(event, Call | Touch):
            continue
        helper = hierarchy.method(owner, name)
        if helper in looks and _is_property(helper) == isinstance(event, Touch) and _only_answers(helper):
            look = looks[helper]
            action = Action.CHECK if _decides(function, index) else Action.READ
            touch = Touch(look.touch.place, action, event.span)
            yield Use(
                function=function, index=index, touch=touch, locks=locksets.at(function, index), changes=False
            )


def reads_through_helpers(program: "Program", function: FunctionFacts, uses: list[Use]) -> Iterator[Use]:
    """Calls of functions of the program that read the field, and do not write it themselves.

    Where the function waits before it reads, the read is at the await of the call.
    """
    writers = {use.function for use in uses if use.changes}
    reads = {use.function: use for use in reversed(uses) if use.function not in writers}
    if function not in writers or not reads:
        return
    late = {use.function for use in uses if use.function in reads and _has_waited(program, use)}
    of_self = all(read.touch.place.root == SELF for read in reads.values())
    for index, event in enumerate(function.events):
        if type(event) is not Call or (of_self and not _is_on_self(event)):
            continue
        target = program.calls.target(function, event)
        if target in reads and _is_on_the_same(event, reads[target]):
            touch = reads[target].touch._replace(action=Action.READ, span=event.span, sources=())
            locks = program.locksets.at(function, index)
            at = index + 1 if target in late and _is_awaited(function, index) else index
            yield Use(function=function, index=at, touch=touch, locks=locks, changes=False)


def stores_through_helpers(program: "Program", function: FunctionFacts, uses: list[Use]) -> Iterator[Use]:
    """Calls of methods of the same object that store in the field what the call gives them."""
    own = {use.touch.place for use in uses if use.function is function and use.changes}
    stores = {use.function: use for use in uses if _is_store(use) and use.touch.place not in own}
    if not stores:
        return
    for index, event in enumerate(function.events):
        if type(event) is not Call or not _is_on_self(event):
            continue
        target = program.calls.target(function, event)
        if target in stores:
            use = stores[target]
            passed = dict(given(target, event))
            values = tuple(passed[name] for name in _stored(use) if name in passed)
            at = index if not target.is_async or _waits_after(use) else index + 1
            touch = use.touch._replace(span=event.span, values=values, sources=())
            locks = program.locksets.at(function, index)
            yield use._replace(function=function, index=at, touch=touch, locks=locks)


def _is_store(use: Use) -> bool:
    return use.touch.action is Action.WRITE and use.function.is_method and any(_stored(use))


def _stored(use: Use) -> Iterator[str]:
    """Parameters whose value is written as it is, or that what is written was asked for with."""
    yield from _answered(use)
    given = use.function.parameters[1:]
    for value in use.touch.values:
        place = value.place if value.shape is Shape.PLACE else None
        if place is not None and not place.attributes and place.root in given:
            yield place.root


def _answered(use: Use) -> Iterator[str]:
    """`text` of `self.language = (await self.http.post(url, json=text)).language`, which each call does anew."""
    before = use.function.events[: use.index]
    asked = any(isinstance(use.function.events[source], Call) for source in use.touch.sources)
    if not use.function.is_async or not asked or any(isinstance(event, Decision) for event in before):
        return
    yield from (name for name in use.function.parameters[1:] if name in use.function.loads)


def _waits_after(use: Use) -> bool:
    """True if the helper itself lets others run behind the store."""
    return any(isinstance(event, Pause) for event in use.function.events[use.index :])


def _has_waited(program: "Program", read: Use) -> bool:
    """True if the helper lets others run on a way to its read."""
    paths = program.awaits.paths(read.function) if read.function.is_async else None
    return paths is not None and any(paths.reaches(pause, read.index) for pause in paths.pauses)


def _is_awaited(function: FunctionFacts, call: int) -> bool:
    following = function.events[call + 1 : call + 2]
    return isinstance(following[0], Pause) and not following[0].yields if following else False


def _is_on_the_same(call: Call, read: Use) -> bool:
    """True for a method of the same object, and for what is read off a variable of the module."""
    return read.touch.place.root != SELF or _is_on_self(call)


def _is_on_self(call: Call) -> bool:
    callee = call.callee
    return callee is not None and callee.root == SELF and callee.attributes == (call.method,)


def _asked(event: Event) -> str | None:
    """The method that is called, or the attribute that is looked at and may be a property."""
    if isinstance(event, Call):
        return event.method if _is_on_self(event) else None
    if isinstance(event, Touch) and event.action in _LOOKS and event.place.root == SELF and not event.method:
        return event.place.attributes[0] if len(event.place.attributes) == 1 else None
    return None


def _is_property(helper: FunctionFacts) -> bool:
    return any((place.attributes or (place.root,))[-1] == "property" for place in helper.decorators)


def _is_plain_look(use: Use) -> bool:
    return (
        use.touch.action in _LOOKS and use.touch.place.root == SELF and use.touch.key is None and not use.changes
    )


def _only_answers(helper: FunctionFacts) -> bool:
    if helper.is_async or len(helper.events) > _SHORT:
        return False
    return any(isinstance(event, Exit) and event.kind == "return" for event in helper.events) and all(
        not isinstance(event, Touch) or event.action in _LOOKS for event in helper.events
    )


def _decides(function: FunctionFacts, index: int) -> bool:
    return any(isinstance(event, Decision) and index in event.sources for event in function.events)
