"""A coroutine puts a value into shared state, waits, and takes it out again.

Between two awaits a coroutine is alone; at an await any other task may run. One that runs the same coroutine for
another caller overwrites the value, and the first one goes on with what belongs to the second. The same holds for
a value that is read before an await and written back after it: what others wrote meanwhile is lost. With one
caller at a time it always works.

Keep what belongs to one call in local variables; or hold an `asyncio.Lock` from the first use to the last.
"""

import re
from collections.abc import Iterator

from racehound.analysis.awaiting.awaits import LIFECYCLE, Scope
from racehound.analysis.awaiting.given_objects import updated_across_await
from racehound.analysis.awaiting.numbered import numbered_late
from racehound.analysis.awaiting.refilled import refilled
from racehound.analysis.awaiting.stored_later import stored_later
from racehound.analysis.awaiting.through_helpers import (
    looks_through_helpers,
    reads_through_helpers,
    stores_through_helpers,
)
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.analysis.state.compound import updates
from racehound.analysis.state.emptied import emptied_late
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.across_await import Crossing, accuse_crossing, is_in_place
from racehound.rules.awaiting.crossing_triggers import filled_twice, given_twice, lost, overwritten
from racehound.rules.rule import Rule, once
from racehound.source.events import CHANGES, Action, Call, Pause, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class StateAcrossAwait(Rule):
    meta = RuleMeta(
        code="RH301",
        name="state-across-await",
        summary="`{function}` relies on `{target}` across an await, where another task may change it",
        severity=Severity.ERROR,
        race_type="Async State",
        impact="Data corruption: a task uses the value of another, or overwrites what the other has stored.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad(
            """
            import asyncio

            class Mailer:
                async def send(self, recipient):
                    self.recipient = recipient
                    await self.connect()
                    self.deliver(self.recipient)  # RH

                async def send_all(self, recipients):
                    await asyncio.gather(*(self.send(name) for name in recipients))
            """,
            fixed="""
            import asyncio

            class Mailer:
                def __init__(self):
                    self._lock = asyncio.Lock()

                async def send(self, recipient):
                    async with self._lock:
                        self.recipient = recipient
                        await self.connect()
                        self.deliver(self.recipient)

                async def send_all(self, recipients):
                    await asyncio.gather(*(self.send(name) for name in recipients))
            """,
        ),
        Bad("""
            import asyncio

            TOTAL = 0

            async def add(source):
                global TOTAL
                TOTAL += await source.count()  # RH

            async def main(sources):
                await asyncio.gather(*[add(source) for source in sources])
            """),
    )
    good = (
        Good("""
            import asyncio

            class Mailer:
                async def send(self, recipient):
                    await self.connect()
                    self.recipient = recipient
                    self.deliver(self.recipient)

                async def send_all(self, recipients):
                    await asyncio.gather(*(self.send(name) for name in recipients))
            """),
        Good("""
            import asyncio

            TOTAL = 0

            async def add(source):
                global TOTAL
                count = await source.count()
                TOTAL += count

            async def main(sources):
                await asyncio.gather(*[add(source) for source in sources])
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for scope in program.awaits.scopes(program.modules):
            for field, uses, function in scope.coroutines():
                yield from self._function(program, scope, field, function)
                yield from self._emptied(program, field, function, uses)
                yield from self._refilled(program, field, function, uses)
        for module in program.modules:
            for function in module.functions:
                if function.passed:
                    yield from self._stored_later(program, function)
                yield from self._given(program, function)

    def _given(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        """An object that all tasks of the coroutine were given."""
        for read, write, pause in updated_across_await(program, function):
            if not program.awaits.is_locked(read, write):
                crossing = Crossing(
                    field=str(write.touch.place),
                    first=read,
                    last=write,
                    pause=pause,
                    rival=write,
                    confidence=CERTAIN,
                )
                yield accuse_crossing(self, program, crossing, overwritten(crossing))

    def _stored_later(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        """What is read before an await is stored behind it, by somebody who is given it."""
        for found in stored_later(program, function):
            rival = program.awaits.rival(found.store, found.uses)
            confidence = _confidence(program, found.owner, found.read, rival, found.uses)
            if confidence is None or program.awaits.is_locked(found.read, found.store):
                continue
            if found.is_put_back or _is_undone(found.store):
                confidence = TaskDoubt.STORED_AS_IT_WAS.possible
            crossing = Crossing(
                field=found.field,
                first=found.read,
                last=found.store,
                pause=found.pause,
                rival=rival or found.store,
                confidence=confidence,
            )
            yield accuse_crossing(self, program, crossing, overwritten(crossing))

    def _refilled(
        self, program: Program, field: str, function: FunctionFacts, uses: list[Use]
    ) -> Iterator[Finding]:
        """Two tasks empty the container one after the other, and then each puts all of its items in."""
        if LIFECYCLE.fullmatch(function.name) or is_constructor(function):
            return
        for found in refilled(function, program.awaits.paths(function), uses):
            if program.awaits.is_locked(found.emptied, found.added):
                continue
            if not program.awaits.is_claimed(function, found.emptied.index):
                crossing = Crossing(
                    field=field,
                    first=found.emptied,
                    last=found.added,
                    pause=found.pause,
                    rival=found.read,
                    confidence=_known(program, function),
                )
                yield accuse_crossing(self, program, crossing, filled_twice(crossing))

    def _emptied(
        self, program: Program, field: str, function: FunctionFacts, uses: list[Use]
    ) -> Iterator[Finding]:
        """The container is the one that it was, but for what others put into it meanwhile."""
        ends = TEARDOWN.match(function.name) is not None
        for found in emptied_late(function, program.awaits.paths(function), uses):
            pause = found.call + 1
            if pause >= len(function.events) or not isinstance(function.events[pause], Pause):
                continue
            locked = program.awaits.is_locked(found.given, found.emptied) and found.added[0].locks
            if not locked and not program.awaits.is_claimed(function, pause):
                crossing = Crossing(
                    field=field,
                    first=found.given,
                    last=found.emptied,
                    pause=pause,
                    rival=found.added[0],
                    confidence=TaskDoubt.AT_THE_END.possible if ends else TaskDoubt.NO_TWO_TASKS.likely,
                )
                yield accuse_crossing(self, program, crossing, lost(crossing))

    def _function(self, program: Program, scope: Scope, field: str, function: FunctionFacts) -> Iterator[Finding]:
        uses = scope.fields[field]
        own = [use for use in uses if use.function is function]
        paths = program.awaits.paths(function)
        for first, last, pause in numbered_late(function, paths, own):
            if not program.awaits.is_locked(first, last) and not LIFECYCLE.fullmatch(function.name):
                crossing = Crossing(
                    field=field,
                    first=first,
                    last=last,
                    pause=pause,
                    rival=last,
                    confidence=TaskDoubt.NO_TWO_TASKS.likely,
                )
                yield accuse_crossing(self, program, crossing, given_twice(crossing))
                return
        asked = looks_through_helpers(function, uses, program.hierarchy, program.locksets)
        helped = list(reads_through_helpers(program, function, uses))
        stored = list(stores_through_helpers(program, function, uses))
        seen = sorted((*own, *asked, *helped, *stored), key=lambda use: use.index)
        crossings = (*_taken_back(program, seen), *_updated(program, own), *_read_late(program, seen, helped))
        for first, last, pause in crossings:
            if program.awaits.is_locked(first, last) or is_in_place(program, scope.owner, field, (first, last)):
                continue
            rival = program.awaits.rival(last, uses) or _own_rival(program, first)
            confidence = _confidence(program, scope.owner, first, rival, uses)
            doubt = _doubt(last, is_helped=rival is None and last in helped)
            if confidence is not None and doubt is not None and not confidence.is_possible:
                confidence = doubt.possible
            if confidence is not None:
                crossing = Crossing(
                    field=field, first=first, last=last, pause=pause, rival=rival or first, confidence=confidence
                )
                yield accuse_crossing(self, program, crossing, overwritten(crossing))
                return


def _taken_back(program: Program, own: list[Use]) -> Iterator[tuple[Use, Use, int]]:
    """A value of this call is stored, and read after an await with no store in between."""
    for write in own:
        if write.touch.action is not Action.WRITE or not _is_of_this_call(write):
            continue
        paths = program.awaits.paths(write.function)
        for read in own:
            if read.touch.action in CHANGES or not _is_at(read.touch.place, write.touch.place):
                continue
            pause = paths.pause_between(write.index, read.index)
            if pause is not None and not _is_renewed(own, pause, read):
                yield write, read, pause


def _read_late(program: Program, own: list[Use], helped: list[Use]) -> Iterator[tuple[Use, Use, int]]:
    """A value of this call is stored, and read by a helper that waits first."""
    late = [read for read in helped if isinstance(read.function.events[read.index], Pause)]
    for write in own if late else ():
        if write.touch.action is not Action.WRITE or not _is_of_this_call(write):
            continue
        paths = program.awaits.paths(write.function)
        for read in late:
            same = _is_at(read.touch.place, write.touch.place) and paths.reaches(write.index, read.index)
            if same and not _is_renewed(own, write.index, read):
                yield write, read, read.index


def _is_renewed(own: list[Use], pause: int, read: Use) -> bool:
    return any(
        use.touch.action is Action.WRITE
        and pause < use.index < read.index
        and _is_at(read.touch.place, use.touch.place)
        for use in own
    )


def _is_at(place: Place, stored: Place) -> bool:
    """True for the place itself, and for `self.user.name` where `self.user` was stored."""
    depth = len(stored.attributes)
    return place.root == stored.root and place.attributes[:depth] == stored.attributes


def _is_of_this_call(write: Use) -> bool:
    """True if a value comes from the arguments, so that each call stores its own."""
    function, values = write.function, write.touch.values
    names = frozenset(function.parameters[1 if function.is_method else 0 :]) | _own_names(function)
    return any(_mentions(value, names) for value in values) or _is_awaited_for(write, names)


def _own_names(function: FunctionFacts) -> frozenset[str]:
    """Local variables that hold what the function was given by a call, an await or a loop."""
    known = function.bindings
    return frozenset(
        name
        for name in function.bound
        if name not in known or all(value.shape in {Shape.CALL, Shape.OTHER} for value in known[name])
    )


def _is_awaited_for(write: Use, names: frozenset[str]) -> bool:
    """`self.user = await self.store.user(request.id)`: what is asked for with the arguments is of this call."""
    events, at = write.function.events, write.index
    match events[max(at - 3, 0) : at]:
        case [Touch() as asked, Call() as call, Pause()] if asked.span == call.span:
            return not names.isdisjoint(re.findall(r"\w+", asked.key or ""))
    return False


def _mentions(value: Value, names: frozenset[str]) -> bool:
    if value.shape is Shape.PLACE and value.place is not None:
        return value.place.root in names
    asked = value.place if value.shape is Shape.CALL else None
    if asked is not None and asked.attributes and asked.root in names:
        return True  # `name.strip()`
    return any(_mentions(argument, names) for argument in value.arguments)


def _updated(program: Program, own: list[Use]) -> Iterator[tuple[Use, Use, int]]:
    """A value is read, and what is made of it written back after an await."""
    by_index = {use.index: use for use in own}
    for update in updates(own[0].function):
        read, write = by_index.get(update.read), by_index.get(update.write)
        if read is not None and write is not None and write.changes:
            pause = program.awaits.paths(write.function).pause_between(read.index, write.index)
            if pause is not None:
                yield read, write, pause


def _confidence(
    program: Program, owner: ClassFacts | ModuleFacts, first: Use, rival: Use | None, uses: list[Use]
) -> Sureness | None:
    if rival is not None:
        return CERTAIN
    if first.function.name.startswith("__"):
        return None
    meant = program.awaits.is_meant_to_be_shared(owner, first, uses)
    return TaskDoubt.BY_STATE.likely if meant else TaskDoubt.NO_SIGN.possible


def _doubt(last: Use, *, is_helped: bool) -> TaskDoubt | None:
    if _is_undone(last):
        return TaskDoubt.PUTS_BACK
    if last.touch.action is Action.CHECK:
        return TaskDoubt.LOOKS_AGAIN
    return TaskDoubt.READ_BY_HELPER if is_helped else None


def _own_rival(program: Program, first: Use) -> Use | None:
    """The store itself, by a second task, where it goes into an object that the field holds."""
    below = first.touch.action is Action.WRITE and len(first.touch.place.attributes) > 1
    return first if below and program.tasks.may_overlap(first.function, first.function) else None


def _known(program: Program, function: FunctionFacts) -> Sureness:
    known = program.tasks.may_overlap(function, function)
    return TaskDoubt.FILLED_TWICE.likely if known else TaskDoubt.NO_TWO_TASKS.possible


def _is_undone(last: Use) -> bool:
    """True in a handler that puts back what was there, and raises what brought it there."""
    handlers = (caught for attempt in last.function.attempts for caught in attempt.handlers if caught.raises)
    return last.changes and any(begin <= last.index < end for begin, end in (item.events for item in handlers))
