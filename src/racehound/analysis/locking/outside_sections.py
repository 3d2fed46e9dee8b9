"""Two locked steps of one object, called one after the other from outside: `gauge.set(gauge.get() + 1)`.

Each of the two holds the lock of the object, and nobody holds it in between.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.branches import dependent
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Call, Decision, Exit, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts


class OutsidePair(NamedTuple):
    function: FunctionFacts
    owner: ClassFacts
    field: str
    asked: int
    """Index of the call that looks."""
    told: int
    """Index of the call that changes what was looked at."""
    read: Use
    write: Use


class _Asked(NamedTuple):
    at: int
    call: Call
    method: FunctionFacts


def outside_pairs(program: Program) -> Iterator[OutsidePair]:
    """Where threads share the object, and the one who calls holds no lock over both."""
    for function in sorted(program.contexts.functions(), key=lambda item: (item.module.path, item.span)):
        for receiver, calls in _by_receiver(program, function).items():
            if len(calls) > 1 and program.contexts.shares(function, receiver):
                yield from _pairs(program, function, calls)


def _by_receiver(program: Program, function: FunctionFacts) -> dict[Place, list[_Asked]]:
    """Its calls of methods, by the object they are called on; `self` has rules of its own."""
    found: dict[Place, list[_Asked]] = {}
    for index, event in enumerate(function.events) if Call in function.holds else ():
        if type(event) is Call and event.callee is not None and event.callee.attributes:
            receiver = Place(event.callee.root, event.callee.attributes[:-1])
            if receiver != Place(SELF):
                target = program.calls.target(function, event)
                if target is not None and target.is_method and target.name == event.method:
                    found.setdefault(receiver, []).append(_Asked(index, event, target))
    return found


def _pairs(program: Program, function: FunctionFacts, calls: list[_Asked]) -> Iterator[OutsidePair]:
    for place, told in enumerate(calls):
        for asked in calls[:place]:
            if asked.method is told.method or asked.method.owner is not told.method.owner:
                continue
            if program.locksets.at(function, asked.at) & program.locksets.at(function, told.at):
                continue
            if _is_given(function, asked, told):
                yield from _fed(program, function, asked, told)
            elif _decides(function, asked.at, told.at):
                yield from _spent(program, function, asked, told)


def _fed(program: Program, function: FunctionFacts, asked: _Asked, told: _Asked) -> Iterator[OutsidePair]:
    """What was read comes back as what is written."""
    for owner, field, read, write in _sections(program, asked, told):
        given = {value.place.root for value in write.touch.values if value.shape is Shape.PLACE and value.place}
        if write.touch.action is Action.WRITE and given & set(told.method.parameters):
            yield OutsidePair(function, owner, field, asked.at, told.at, read, write)


def _spent(program: Program, function: FunctionFacts, asked: _Asked, told: _Asked) -> Iterator[OutsidePair]:
    """What was there is taken, without another look."""
    for owner, field, read, write in _sections(program, asked, told):
        uses = program.fields.of_class(owner)[field]
        looks = any(use.function is told.method and use.touch.action is Action.CHECK for use in uses)
        if not looks and (_is_taken(write) or _is_counted_down(write)):
            yield OutsidePair(function, owner, field, asked.at, told.at, read, write)


def _is_taken(write: Use) -> bool:
    if write.touch.action is Action.DELETE:
        return True
    return write.touch.action is Action.MUTATE and write.touch.method in {"pop", "popleft", "remove"}


def _is_counted_down(write: Use) -> bool:
    """True for `self._left -= 1`."""
    touches = [write.function.events[at] for at in write.touch.sources]
    return write.touch.action is Action.WRITE and any(
        getattr(item, "place", None) == write.touch.place for item in touches
    )


def _sections(program: Program, asked: _Asked, told: _Asked) -> Iterator[tuple[ClassFacts, str, Use, Use]]:
    """Fields that the one method only reads, for its answer, and the other one changes, under a common lock."""
    owner = asked.method.owner
    for field, uses in program.fields.of_class(owner).items() if owner is not None else ():
        reads = [use for use in uses if use.function is asked.method]
        writes = [use for use in uses if use.function is told.method and use.changes]
        if owner is None or not reads or not writes or any(use.changes for use in reads):
            continue
        if reads[0].locks & writes[0].locks and _answers(asked.method, reads[0].index):
            yield owner, field, reads[0], writes[0]


def _answers(method: FunctionFacts, read: int) -> bool:
    returns = [event for event in method.events if isinstance(event, Exit) and event.kind == "return"]
    return any(read in event.sources for event in returns)


def _is_given(function: FunctionFacts, asked: _Asked, told: _Asked) -> bool:
    """True for `set(get() + 1)`, and for `value = get()` and then `set(value + 1)`."""
    if told.call.span[:2] <= asked.call.span[:2] and asked.call.span[2:] <= told.call.span[2:]:
        return True
    names = {name for value in told.call.arguments for name in _names(value)}
    return any(
        value.place == asked.call.callee
        for name in names
        for value in function.bindings.get(name, ())
        if value.shape is Shape.CALL
    )


def _names(value: Value) -> Iterator[str]:
    """The plain names in what is worked out; one that is passed on as it is was not worked out from."""
    for part in value.arguments if value.shape is Shape.OTHER else ():
        if part.shape is Shape.PLACE and part.place is not None and not part.place.attributes:
            yield part.place.root


def _decides(function: FunctionFacts, asked: int, told: int) -> bool:
    return any(
        asked in event.sources and any(begin <= told < end for begin, end in dependent(function.events, index))
        for index, event in enumerate(function.events)
        if isinstance(event, Decision)
    )
