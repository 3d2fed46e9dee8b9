"""Counts that a class keeps beside its work, for people to read: one more or less changes nothing."""

from itertools import islice

from racehound.analysis.program import Program
from racehound.analysis.state.answers import is_decided_by_answer
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.fields import Use
from racehound.analysis.state.told import SAYING
from racehound.source.events import Action, Call, Decision, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts


def is_figure(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    """True if the field is only counted up, set to nothing and told, and its class does something else as well.

    A lock that is held for that something may cover some of it.
    """
    known, key = program.figures, (owner, id(uses))
    if key not in known:
        known[key] = (uses, _is_figure(program, owner, uses))
    return known[key][1]


def _is_figure(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    sharing = program.shared.why(owner)
    changes = [use for use in uses if use.changes]
    if (sharing is not None and sharing.claims) or not all(_is_counted(use) or _is_reset(use) for use in changes):
        return False  # whoever says that it is safe means the count to be right
    if goes_round(uses):
        return True
    looked = _is_looked_at(uses, changes) or is_decided_by_answer(program, owner, uses)
    return not looked and _has_other_state(program, owner, uses)


def is_only_told(uses: list[Use]) -> bool:
    """True if a variable of a module is only counted up, set to nothing and told."""
    changes = [use for use in uses if use.changes]
    return all(_is_counted(use) or _is_reset(use) for use in changes) and not _is_looked_at(uses, changes)


def is_only_logged(uses: list[Use]) -> bool:
    """True for a count that is read for nothing but a line in a log: be it all that its class has."""
    changes = [use for use in uses if use.changes]
    if not all(_is_counted(use) or _is_reset(use) for use in changes):
        return False
    feeding = {(use.function, own_read(use.function, use.index)) for use in changes}
    reads = [use for use in uses if not use.changes and (use.function, use.index) not in feeding]
    return bool(reads) and all(map(_is_logged, reads))


def _is_logged(use: Use) -> bool:
    """True if the first call that takes what is read writes a line."""
    span = use.touch.span
    calls = (event for event in islice(use.function.events, use.index, None) if isinstance(event, Call))
    taking = next((call for call in calls if call.span[:2] <= span[:2] and span[2:] <= call.span[2:]), None)
    return taking is not None and taking.method in SAYING


def goes_round(uses: list[Use]) -> bool:
    """True for `self._next = (self._next + 1) % size` without a lock: where it stands is all one."""
    changes = [use for use in uses if use.changes]
    rounds = any("%" in use.function.module.line(use.touch.span.line) for use in changes)
    return rounds and not any(use.locks for use in changes)


def _is_looked_at(uses: list[Use], changes: list[Use]) -> bool:
    """True if something hangs on the count, or whoever counts takes a number of its own from it."""
    feeding = {(use.function, own_read(use.function, use.index)) for use in changes}
    counting = {function for function, read in feeding if read is not None}
    deciding: dict[FunctionFacts, set[int]] = {}
    for use in uses:
        if use.changes or (use.function, use.index) in feeding:
            continue
        if use.touch.action is Action.CHECK or use.function in counting:
            return True
        if use.function not in deciding:
            decisions = (event for event in use.function.events if isinstance(event, Decision))
            deciding[use.function] = {source for event in decisions for source in event.sources}
        if use.index in deciding[use.function]:
            return True
    return False


def begins_anew(use: Use) -> bool:
    """True for `self.count = 0` and `self.items = {}`."""
    values = use.touch.values
    return bool(values) and all(
        value.shape is Shape.CONSTANT or (value.shape is Shape.CONTAINER and not value.arguments)
        for value in values
    )


def _is_counted(use: Use) -> bool:
    """True for `self.sent += 1`, for `self.sent += len(data)`, and for `self.sent[kind] += 1`."""
    read = own_read(use.function, use.index)
    looked = None if read is None else use.function.events[read]
    in_one = isinstance(looked, Touch) and looked.span.line == use.touch.span.line
    return in_one and use.touch.action in {Action.WRITE, Action.WRITE_ITEM}


def _is_reset(use: Use) -> bool:
    values = use.touch.values
    return bool(values) and all(value.shape is Shape.CONSTANT for value in values)


def _has_other_state(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    if owner not in program.workings:
        working = (item for item in program.fields.of_class(owner).values() if _is_working(item))
        program.workings[owner] = list(islice(working, 2))
    return any(item is not uses for item in program.workings[owner])


def _is_working(uses: list[Use]) -> bool:
    return any(use.changes and not _is_counted(use) and not _is_reset(use) for use in uses)
