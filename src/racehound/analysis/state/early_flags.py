"""Flags that are set before the work that they vouch for: whoever finds one set goes on without the work."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

from racehound.analysis.flow.branches import fork_at
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gaps, gaps_of
from racehound.analysis.state.hazards import ADDERS
from racehound.analysis.state.steps import Step
from racehound.source.events import Action, Decision, Flow, Pause, Shape
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

Owner: TypeAlias = ClassFacts | ModuleFacts


class EarlyFlag(NamedTuple):
    name: str
    """Of the flag."""
    flag: Use
    """Where it is set."""
    field: str
    """What the work fills."""
    work: Step
    """Where it is filled first, seen from the function that sets the flag."""
    reader: FunctionFacts
    read: Step
    """Where it is counted on, by whoever has found the flag set."""


class _Way(NamedTuple):
    """A look at the flag, and what is done only if it is not set: the flag is set there."""

    look: Use
    flag: Use
    decided: int
    ranges: tuple[tuple[int, int], ...]

    @property
    def function(self) -> FunctionFacts:
        return self.flag.function

    def is_done(self, at: int) -> bool:
        return any(begin <= at < end for begin, end in self.ranges)

    def is_passed(self, at: int) -> bool:
        """True for what is reached with the flag set: the other branch, and what comes behind both."""
        events = self.function.events
        if events[self.decided + 1] is not Flow.FORK:
            return False
        fork = fork_at(events, self.decided + 1)
        for begin, end in fork.branches:
            if begin <= at < end:
                return not begin <= self.flag.index < end
        return at > fork.join and not self.is_done(at)


def early_flags(program: Program, owner: Owner) -> Iterator[EarlyFlag]:
    gaps = gaps_of(program, owner)
    for name, uses in gaps.steps.fields.items():
        for flag in uses:
            if _is_raised(flag) and not is_constructor(flag.function) and not _is_of_an_end(flag, uses):
                ways = [way for look in uses if _looks_before(look, flag) for way in _ways(gaps, look, flag)]
                found = (item for way in ways for item in _early(program, owner, gaps, name, way))
                yield from islice(found, 1)


def _is_raised(use: Use) -> bool:
    values = use.touch.values
    is_true = bool(values) and all(value.shape is Shape.CONSTANT and value.name == "True" for value in values)
    return is_true and use.touch.action is Action.WRITE and use.touch.key is None


def _is_of_an_end(flag: Use, uses: list[Use]) -> bool:
    """True for `closed`, and for what only says that somebody is at work: he takes it back when he is done."""
    name = flag.touch.place.attributes[-1] if flag.touch.place.attributes else flag.touch.place.root
    if TEARDOWN.match(flag.function.name) or _ENDED.search(name):
        return True
    return any(
        use.function is flag.function
        and use.index > flag.index
        and use.touch.action is Action.WRITE
        and any(value.name == "False" for value in use.touch.values)
        for use in uses
    )


_ENDED = re.compile(
    r"clos(ed|ing)|stop(ped|ping)?|shut_?down|defunct|end(ed|ing)|finish|cancel|dispos|exit|quit|terminat|dead"
)


def _looks_before(look: Use, flag: Use) -> bool:
    is_before = look.function is flag.function and look.index < flag.index
    return is_before and look.touch.action is Action.CHECK and look.touch.place == flag.touch.place


def _ways(gaps: Gaps, look: Use, flag: Use) -> Iterator[_Way]:
    for index, event in enumerate(flag.function.events[: flag.index]):
        if type(event) is Decision and look.index in event.sources:
            way = _Way(look, flag, index, gaps.dependent_on(flag.function, index))
            if way.is_done(flag.index):
                yield way


def _early(program: Program, owner: Owner, gaps: Gaps, name: str, way: _Way) -> Iterator[EarlyFlag]:
    for field in gaps.steps.fields:
        if field == name:
            continue
        own = _steps(gaps, field, way.function)
        filled = [step for step in own if step.use.changes and way.is_done(step.at)]
        if not filled or filled[0].at < way.flag.index or not _fills(filled[0]):
            continue
        work = filled[0]
        if not gaps.is_free_between(way.function, way.look.index, work.at) or not _is_late(way, work):
            continue
        held = _held_on(program, gaps, way, work)
        for reader, read in (*_behind(way, own), *_of_callers(program, owner, gaps, field, way.function)):
            if not read.locks & held:
                yield EarlyFlag(name, way.flag, field, work, reader, read)
                break


def _fills(step: Step) -> bool:
    """False for what begins anew or goes on counting: an empty table, another number."""
    touch = step.use.touch
    if touch.action is Action.WRITE:
        empty = {Shape.CONSTANT, Shape.CONTAINER}
        made = any(value.shape not in empty or value.arguments for value in touch.values)
        return made and own_read(step.use.function, step.use.index) is None
    return touch.action is Action.WRITE_ITEM or touch.method in ADDERS


def _is_late(way: _Way, work: Step) -> bool:
    """Other tasks come in between only at an await."""
    if not way.function.is_async:
        return True
    events = [*way.function.events[way.flag.index : work.at]]
    if not work.is_inside:
        events += work.use.function.events[: work.use.index]
    return any(type(event) is Pause and not event.yields for event in events)


def _held_on(program: Program, gaps: Gaps, way: _Way, work: Step) -> int:
    """Locks that keep others away from the setting of the flag to the work."""
    locksets, function = program.locksets, way.function
    held = locksets.at(function, way.flag.index) & locksets.at(function, work.at)
    return held & ~gaps.given_up(function, way.flag.index, work.at)[0]


def _steps(gaps: Gaps, field: str, function: FunctionFacts) -> list[Step]:
    found = gaps.steps.of(field, lambda other, _: other is function)
    return [step for other, steps in found if other is function for step in steps]


def _behind(way: _Way, own: list[Step]) -> Iterator[tuple[FunctionFacts, Step]]:
    for step in own:
        if not step.use.changes and way.is_passed(step.at):
            yield way.function, step


def _of_callers(
    program: Program, owner: Owner, gaps: Gaps, field: str, function: FunctionFacts
) -> Iterator[tuple[FunctionFacts, Step]]:
    """Uses by functions that have called this one, so as to find the work done."""
    for caller, at in _calls(program, owner, function):
        if caller is function or is_constructor(caller) or program.locksets.at(caller, at):
            continue
        for step in _steps(gaps, field, caller):
            if step.at > at and not step.use.changes:
                yield caller, step


def _calls(program: Program, owner: Owner, function: FunctionFacts) -> list[tuple[FunctionFacts, int]]:
    if isinstance(owner, ClassFacts):
        return list(program.locksets.own_calls(owner).get(function.name, ()))
    return [(item.function, item.at) for item in program.callers.of(function)]
