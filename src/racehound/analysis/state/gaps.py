"""A look at a field, an act on it that hangs on the look, and no lock over both."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import NamedTuple

from racehound.analysis.flow.branches import dependent, end_of_block, fork_at, leaves
from racehound.analysis.meaning.tables import table_of
from racehound.analysis.program import Program
from racehound.analysis.state.caught_looks import CaughtLook, caught_looks
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.steps import Step, Steps
from racehound.source.events import Acquire, Action, Decision, Event, Exit, Flow, Place, Release, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_TAKING = frozenset({Acquire, Release})


class Gap(NamedTuple):
    function: FunctionFacts
    check: Step
    act: Step
    is_split: bool
    """Both hold the same lock, but it is given up in between."""
    decided: int
    """Index of the decision."""


def gaps_of(program: Program, owner: ClassFacts | ModuleFacts) -> "Gaps":
    """Several rules look at the same gaps."""
    if owner not in program.gaps:
        program.gaps[owner] = Gaps(program, Steps(program, owner))
    return program.gaps[owner]


class Gaps:
    def __init__(self, program: Program, steps: Steps) -> None:
        self._program = program
        self.steps = steps
        self._known: dict[str, tuple[Gap, ...]] = {}

    def of(self, name: str) -> tuple[Gap, ...]:
        if name not in self._known:
            self._known[name] = tuple(self._find(name))
        return self._known[name]

    def _find(self, name: str) -> Iterator[Gap]:
        for function, steps in self.steps.of(name, self._is_decided_at):
            answers = {step.at for step in steps if step.answers}
            for index, decision in self._decided(function):
                if not answers.isdisjoint(decision.sources):
                    yield from self._after(function, index, decision, steps)
            yield from self._after_misses(function, steps)

    def either_way(self, name: str) -> Iterator[Gap]:
        """Where what was missing has been put there, and the act comes whichever way the decision went."""
        for function, steps in self.steps.of(name, self._is_decided_at):
            answers = {step.at for step in steps if step.answers}
            for index, decision in self._decided(function):
                if not answers.isdisjoint(decision.sources):
                    yield from self._ensured(function, index, steps)

    def _is_decided_at(self, function: FunctionFacts, events: AbstractSet[int]) -> bool:
        """True if a branch hangs on one of the events."""
        if any(found.look in events for found in self._caught(function)):
            return True
        if Decision not in function.holds:
            return False
        return any(not events.isdisjoint(decision.sources) for _, decision in self._decided(function))

    def _caught(self, function: FunctionFacts) -> tuple[CaughtLook, ...]:
        """Derived classes ask for those of inherited functions again."""
        if not function.attempts:
            return ()
        known = self._program.caught_looks
        if function not in known:
            known[function] = tuple(caught_looks(function))
        return known[function]

    def _after_misses(self, function: FunctionFacts, steps: list[Step]) -> Iterator[Gap]:
        """What is put there by whoever has caught that there is nothing."""
        for found in self._caught(function):
            looks = [step for step in steps if step.at == found.look and step.is_inside]
            checks = [step._replace(key=None) for step in looks] if found.is_whole else looks
            for act in steps if checks else ():
                if act.use.changes and any(start <= act.at < end for start, end in found.ranges):
                    for check in checks:
                        is_split = self._is_open(function, check, act, steps)
                        if is_split is not None:
                            yield Gap(function, check, act, is_split, found.look)

    def _decided(self, function: FunctionFacts) -> list[tuple[int, Decision]]:
        """Derived classes ask for those of inherited functions again."""
        known = self._program.decisions
        if function not in known:
            numbered = enumerate(function.events)
            known[function] = [(index, event) for index, event in numbered if isinstance(event, Decision)]
        return known[function]

    def _after(self, function: FunctionFacts, index: int, decision: Decision, steps: list[Step]) -> Iterator[Gap]:
        looks = [step for step in steps if step.at in decision.sources and step.answers]
        checks = [step for step in looks if not _is_claim(step, steps)]
        ranges = self.dependent_on(function, index)
        for act in _within(ranges, steps) if checks else ():
            for check in checks:
                is_split = self._is_open(function, check, act, steps)
                if is_split is not None:
                    yield Gap(function, check, act, is_split, index)

    def _ensured(self, function: FunctionFacts, index: int, steps: list[Step]) -> Iterator[Gap]:
        """`if key not in table: table[key] = make()`, and then `table[key]`, which counts on it either way."""
        events = function.events
        if events[index + 1 : index + 2] != [Flow.FORK]:
            return
        join = fork_at(events, index + 1).join
        made = {
            step.key for step in steps if index < step.at < join and step.use.touch.action is Action.WRITE_ITEM
        }
        decision = events[index]
        looked = [step for step in steps if isinstance(decision, Decision) and step.at in decision.sources]
        for check in looked:
            if check.key is None or check.key not in made or check.use.touch.action is not Action.CHECK:
                continue
            act = next((step for step in steps if step.at > join and step.key == check.key), None)
            if act is None or act.at >= end_of_block(events, join + 1):
                continue
            is_split = self._is_open(function, check, act, steps)
            if is_split is not None:
                yield Gap(function, check, act, is_split, index)

    def dependent_on(self, function: FunctionFacts, index: int) -> tuple[tuple[int, int], ...]:
        """For a decision, which is asked about for each field and each derived class."""
        known = self._program.dependents
        if (function, index) not in known:
            known[function, index] = dependent(function.events, index)
        return known[function, index]

    def _is_open(self, function: FunctionFacts, check: Step, act: Step, steps: list[Step]) -> bool | None:
        """Whether the lock of both is given up in between; None where one lock is held over both."""
        locksets = self._program.locksets
        held = locksets.at(function, check.at) & locksets.at(function, act.at)
        again, restart = self.given_up(function, check.at, act.at)
        if held & ~again:
            return None
        if act.locks and any(_is_second_look(step, check, act, restart) for step in steps):
            return None
        if again and any(self._is_held_on(function, step, act) for step in steps if check.at < step.at < act.at):
            return None
        return bool(check.locks & act.locks)

    def _is_held_on(self, function: FunctionFacts, step: Step, act: Step) -> bool:
        """A look under another lock, which is held from there to the act."""
        if step.use.touch.action is not Action.CHECK or step.use.function is not function:
            return False
        held = self._program.locksets.at(function, step.at) & self._program.locksets.at(function, act.at)
        return bool(held & ~self.given_up(function, step.at, act.at)[0])

    def is_free_between(self, function: FunctionFacts, first: int, last: int) -> bool:
        """True if no lock is held by the function from one event to the other."""
        held = self._program.locksets.at(function, first) & self._program.locksets.at(function, last)
        return not held & ~self.given_up(function, first, last)[0]

    def given_up(self, function: FunctionFacts, start: int, end: int) -> tuple[int, int]:
        """Locks that are released and taken again between two events, and where they are taken again last."""
        released = again = 0
        restart = start
        if function.holds.isdisjoint(_TAKING):
            return again, restart
        for index in range(start + 1, end):
            event = function.events[index]
            if isinstance(event, Release):
                released |= self._program.locksets.taken(function, event.value)
            elif isinstance(event, Acquire):
                taken = self._program.locksets.taken(function, event.value) & released
                again, restart = again | taken, index if taken else restart
        return again, restart


def _within(ranges: tuple[tuple[int, int], ...], steps: list[Step]) -> Iterator[Step]:
    first = bisect_left(steps, min((start for start, _ in ranges), default=0), key=_at)
    last = bisect_left(steps, max((end for _, end in ranges), default=0), key=_at)
    for step in islice(steps, first, last):
        if any(start <= step.at < end for start, end in ranges):
            yield step


def _at(step: Step) -> int:
    return step.at


def _is_second_look(step: Step, check: Step, act: Step, restart: int) -> bool:
    """A look that is taken under the lock of the act, in the same section."""
    if step.use.touch.action not in {Action.CHECK, Action.READ} or step.use is act.use or step == check:
        return False
    if _only_feeds(step, act):
        return False
    if not step.locks & act.locks or not check.at < step.at <= act.at:
        return False
    if step.at == act.at:
        return step.use.index < act.use.index
    return step.at > restart if step.locks & check.locks else True


def _is_claim(check: Step, steps: list[Step]) -> bool:
    """True if the helper that looks changes the field as well: it tells what it did, not what it saw."""
    return not check.is_inside and any(step.at == check.at and step.use.changes for step in steps)


def _only_feeds(step: Step, act: Step) -> bool:
    """True for the read in `self.left -= 1`: nothing is decided by it."""
    function = act.use.function
    if step.use.function is not function or own_read(function, act.use.index) != step.use.index:
        return False
    between = function.events[step.use.index + 1 : act.use.index]
    return not any(isinstance(event, Decision) and step.use.index in event.sources for event in between)


def _asked(gap: Gap, decision: Decision) -> list[int]:
    """What a decision hangs on; the key, the name of a state, and where the object is kept are no questions."""
    key, kept = gap.check.key, _keeping(gap)
    events = (gap.function.events[index] for index in decision.sources)
    return [
        index
        for index, event in zip(decision.sources, events, strict=True)
        if not (isinstance(event, Touch) and not event.place.attributes and key == f"[{event.place}]")
        and not (isinstance(event, Touch) and (_is_name_of_state(event) or event.place in kept))
    ]


def _is_name_of_state(touch: Touch) -> bool:
    """True for the `State.FREE` of `seat.state is not State.FREE`."""
    return not touch.method and touch.key is None and (touch.place.attributes or (touch.place.root,))[-1].isupper()


def _keeping(gap: Gap) -> set[Place]:
    """`self.seats` of `seat = self.seats[label]`, where the look is at `seat.state`."""
    place = gap.check.use.touch.place
    values = gap.function.bindings.get(place.root, ()) if place.attributes else ()
    tables = (table_of(value) for value in values)
    return {table for table in tables if table is not None}


def refuses_otherwise(gap: Gap) -> bool:
    """True if whoever finds it done already is told so: `return False` here, `return True` there."""
    events = gap.function.events
    if gap.decided + 1 >= len(events) or events[gap.decided + 1] is not Flow.FORK:
        return False
    fork = fork_at(events, gap.decided + 1)
    for start, end in fork.branches:
        if start <= gap.act.at < end:
            continue
        refused = _constants(events[start:end])
        done = _constants(events[gap.act.at :])
        if leaves(events, start, end) and refused and done and refused.isdisjoint(done):
            return True
    return False


def _constants(events: Sequence[Event]) -> set[str]:
    """What is returned, where each return is of a constant."""
    values = [event.value for event in events if isinstance(event, Exit) and event.kind == "return"]
    return {value.name for value in values} if all(value.shape is Shape.CONSTANT for value in values) else set()


def raises_otherwise(gap: Gap) -> bool:
    """True if whoever finds it done already, and asks for nothing else, raises: it may be done once only."""
    events = gap.function.events
    decision = events[gap.decided]
    if (
        not isinstance(decision, Decision)
        or len(_asked(gap, decision)) != 1
        or gap.decided + 1 >= len(events)
        or events[gap.decided + 1] is not Flow.FORK
    ):
        return False
    for start, end in fork_at(events, gap.decided + 1).branches:
        exits = [event for event in events[start:end] if isinstance(event, Exit)]
        if exits and leaves(events, start, end) and all(event.kind == "raise" for event in exits):
            return not start <= gap.act.at < end
    return False
