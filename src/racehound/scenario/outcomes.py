"""What serial orders have shown, and whether an execution may show the same.

An outcome that no serial order gives is a violation. Nobody has to write an invariant for that: the code
itself, run without overlap, says what is right.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from racehound.scenario.blocks import NO_MEETINGS, Meetings
from racehound.scenario.byproducts import DRAWN, MADE, about, drawn_further
from racehound.scenario.chance import NO_CHANCE, Chance, Twice
from racehound.scenario.emptiness import is_among
from racehound.scenario.lateness import LATENESS, differs_as
from racehound.scenario.one_loop import needs_loop
from racehound.scenario.program import Observation
from racehound.scenario.snapshot import CUT, Snapshot, state_in, without

HELD_UP = "an operation waits for ever for a lock that it has taken itself, which needs no second task"

Stuck = tuple[tuple[int, ...], frozenset[int]]
"""How many operations each task has finished, and which tasks wait for ever then."""


@dataclass(frozen=True, slots=True)
class SerialOutcomes:
    observations: tuple[Observation, ...]
    masked: frozenset[str]
    """What differs between two runs of the same order."""
    waits: frozenset[tuple[tuple[int, ...], int]]
    """Which task's next operation waits for ever, after which operations of which tasks, one after the other."""
    stuck: frozenset["Stuck"] = frozenset()
    """Where tasks stand for ever because one waits that waits in every order, and others wait for that one."""
    at_once: frozenset["Stuck"] = frozenset()
    """Where tasks stand for ever if each of those that wait began when the one before had ended or waited."""
    unheard: frozenset[str] = frozenset()
    """Names of exceptions that end a thread of the program's own in some serial order."""
    refusals: tuple[Observation, ...] = ()
    """What is to be seen in serial orders where some of the tasks find a lock taken that they only try for."""
    too_many_try: bool = False
    """Whether there are too many of these tasks to see it."""
    between: tuple[Observation, ...] | None = None
    """What is to be seen if operations come in between sections of what goes on in the background; None as long as
    that is not known."""
    too_many_between: bool = False
    """Whether there are too many ways for that."""
    late: tuple[Snapshot, ...] = ()
    """What each of the observations is if every wait for a time ends a little late."""
    is_outrun: bool = False
    """Whether some timeout is shorter than somebody sleeps even then."""
    only_together: bool = False
    """Whether the operations come to their end only while others wait, so that no order is serial in truth."""
    lone: tuple[Snapshot, ...] = ()
    """The state that each of the operations leaves if it is the only one; of blocks and of what runs functions."""
    crowds: tuple[Observation, ...] = ()
    """What is to be seen where several wait with a timeout at once, and are woken."""
    held_up: bool = False
    """Whether an operation waits for ever for a lock that it has taken itself."""
    filled: frozenset[str] = frozenset()
    """Private parts of the subject that hold something, if only an empty container, before all begins."""
    chance: Chance = NO_CHANCE
    """What can be said of what is masked."""
    pairs: tuple[Twice, ...] = field(default=(), compare=False)
    """From which that is known."""
    span: float = inf
    """How much time may pass between operations, in seconds."""

    def allows(self, snapshot: Snapshot, met: Meetings = NO_MEETINGS, *, lag: float = inf) -> bool:
        """Whether some serial order gives this outcome in which all those meet that have met.

        `lag` is how much later than need be the tasks went on.
        """
        if self.is_among((*self.observations, *(self.between or ())), snapshot, met):
            return True
        compared = without(snapshot, self.masked)
        pairs = [
            pair
            for pair in zip(self.observations, self.late, strict=False)
            if met <= pair[0].met and self._comes_in_time(pair[0])
        ]
        return any(
            differs_as(compared, without(item.snapshot, self.masked), late, lag)
            and self.chance.explains(snapshot, item.snapshot)
            for item, late in pairs
        )

    def within(self, seconds: float) -> "SerialOutcomes":
        """The same without what is to be seen only if more time passes between operations."""
        return self if all(item.idle == 0 for item in self.observations) else replace(self, span=seconds)

    def _comes_in_time(self, item: Observation) -> bool:
        return item.idle <= self.span + LATENESS

    def lose_one(self, snapshot: Snapshot) -> bool:
        """Whether one of the operations has left no trace, as happens in no order of whole blocks."""
        state = state_in(snapshot)
        if not self.lone or not self._is_one_of(self.lone, state):
            return False
        return not self._is_one_of([item.state for item in self.observations if item.is_whole], state)

    def leaves_one_out(self, snapshot: Snapshot) -> bool:
        """Whether the state is the one that an operation leaves alone."""
        return self._is_one_of(self.lone, state_in(snapshot))

    def allows_crowd(self, snapshot: Snapshot, met: Meetings = NO_MEETINGS) -> bool:
        """Whether several that wait with a timeout give this outcome where one operation wakes them all."""
        return self.is_among(self.crowds, snapshot, met)

    def byproducts(self, snapshot: Snapshot, met: Meetings, rebound: frozenset[str], *, lag: float) -> str | None:
        """What alone keeps an outcome from being that of a serial order, if it is nothing to be accused of."""
        made = rebound.difference(*(item.rebound for item in self.observations))
        known = [item.snapshot for item in (*self.observations, *(self.between or ()))]
        told = about(made, (snapshot, *known)) if made else set()
        if told and self._without(told).allows(snapshot, met, lag=lag):
            return MADE.format(min(made))
        for serial in known:
            drawn = set(drawn_further(snapshot, serial))
            if drawn and self._without(told | drawn).allows(snapshot, met, lag=lag):
                return DRAWN.format(min(drawn))
        return None

    def _without(self, paths: Collection[str]) -> "SerialOutcomes":
        return replace(self, masked=self.masked | frozenset(paths))

    def allows_refused(self, snapshot: Snapshot, met: Meetings = NO_MEETINGS) -> bool:
        """Whether some serial order gives this outcome if a lock is refused that somebody only tries for."""
        return self.too_many_try or self.is_among(self.refusals, snapshot, met)

    def with_more(self, found: Iterable[Observation]) -> "SerialOutcomes":
        """The same with what else serial orders may show."""
        return replace(self, between=(*(self.between or ()), *found))

    def is_among(self, found: Iterable[Observation], snapshot: Snapshot, met: Meetings) -> bool:
        """Whether one of these shows the same, and all those meet in it that have met."""
        seen = [item.snapshot for item in found if met <= item.met and self._comes_in_time(item)]
        return self._is_one_of(seen, snapshot)

    def _is_one_of(self, known: Sequence[Snapshot], snapshot: Snapshot) -> bool:
        likely = [other for other in known if self.chance.explains(snapshot, other)] if self.masked else known
        return is_among(snapshot, likely, self.masked, filled=self.filled)

    def allows_meeting(self, met: Meetings) -> bool:
        """Whether those that have met do so in some serial order."""
        return any(met <= item.met for item in self.observations)

    def allows_waiting(self, done: tuple[int, ...], waiting: frozenset[int], *, several: bool) -> bool:
        """Whether these tasks would wait for ever in serial orders too.

        `done` counts the operations that each task has finished. There must be one order of those after which
        the next operation of *every* blocked task waits: a task that could go on has missed its wake-up. And they
        must wait as well when all of them have begun: the last one at a barrier has to wake the others.
        """
        if (done, waiting) in self.stuck:
            return True
        if several and (done, waiting) not in self.at_once:
            return False
        finished = Counter({task: count for task, count in enumerate(done) if count})
        histories = {history for history, _ in self.waits if Counter(history) == finished}
        return any(all((history, task) in self.waits for task in waiting) for history in histories)

    @property
    def is_cut(self) -> bool:
        """Whether part of the state was not looked at."""
        return any(CUT in item.snapshot for item in self.observations)

    @property
    def caveats(self) -> set[str]:
        """Why nothing can be called safe that is only compared with these outcomes."""
        found = {f"{name} ends a background task in serial orders too" for name in self.unheard}
        found |= self.chance.caveats
        if self.held_up:
            found.add(HELD_UP)
        return found | {"the state is too large to be compared as a whole"} if self.is_cut else found

    @property
    def why_not(self) -> str:
        """Why there is nothing to race where no operation comes to a result."""
        if not self.observations:
            return "the operations wait for ever in every serial order"
        calls = self.observations[0].shown
        return f"{calls.order[0]} {calls.results[0].replace('raised', 'raises', 1)}, whatever the order"

    @property
    def needs_loop(self) -> bool:
        """Whether an operation complains that there is no event loop where it runs."""
        return any(needs_loop(text) for item in self.observations for text in item.shown.results)

    @property
    def is_refused_a_loop(self) -> bool:
        """Whether an operation complains of its event loop, such as of one that runs already."""
        results = (text for item in self.observations for text in item.shown.results)
        return any(text.startswith("raised ") and "event loop" in text for text in results)

    @property
    def says_something(self) -> bool:
        """Whether some operation succeeds in some order: else the arguments were not worth racing."""
        return any(
            not all(text.startswith("raised ") for text in item.shown.results) for item in self.observations
        )
