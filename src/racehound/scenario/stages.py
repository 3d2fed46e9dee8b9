"""States in which calls do something else than before: an order that is paid can be shipped, a new one cannot.

Calls are made one after the other, first one, then two, and so on. In each state that they lead to it is seen what
every call does there: what it raises, whether it answers with something, whether it changes anything. Where that
is as in a state before, pairs would show nothing new; where it is not, they are raced.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

DEEPEST: Final = 4
MOST: Final = 30
"""States that are looked at."""
NOTHING: Final = "None"
_PLAIN: Final = frozenset({"None", "True", "False", "0", "0.0", "''", "[]", "{}", "()", "set()"})

Texts = tuple[str, ...]
State = frozenset[tuple[str, str]]
"""All that can be seen of it."""
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one call did, after others."""

    result: str
    state: State

    @property
    def manner(self) -> str:
        """What kind of result it is: which number is no matter."""
        if self.result.startswith("raised "):
            return self.result.partition(":")[0]
        return self.result if self.result in _PLAIN else "something"


Look = Callable[[Texts, str], Seen | None]
"""Makes a call after others, alone; None where it cannot be made, or waits for ever."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A state, by the calls that lead to it, and what calls do there."""

    before: Texts
    state: State
    seen: dict[str, Seen | None]

    @property
    def manners(self) -> tuple[tuple[str, bool], ...]:
        return tuple(
            ("waits", False) if seen is None else (seen.manner, self._changes(seen)) for seen in self.seen.values()
        )

    def pairs(self) -> Iterator[Pair]:
        """Those of which one changes something, or has to wait."""
        acts = {call for call, seen in self.seen.items() if seen is None or self._changes(seen)}
        return (pair for pair in combinations_with_replacement(self.seen, 2) if not acts.isdisjoint(pair))

    def _changes(self, seen: Seen) -> bool:
        return seen.state != self.state


def new_stages(calls: Sequence[str], look: Look) -> Iterator[Stage]:
    """The states that are worth racing in, those with few calls before first."""
    waiting: deque[Texts] = deque([()])
    manners: set[tuple[tuple[str, bool], ...]] = set()
    states: set[State] = set()
    for _ in range(MOST):
        before = waiting.popleft() if waiting else None
        here = look(before, NOTHING) if before is not None else None
        if before is None:
            return
        if here is None:
            continue
        stage = Stage(before, here.state, {call: look(before, call) for call in calls})
        states.add(here.state)
        if stage.manners in manners:
            continue
        manners.add(stage.manners)
        yield stage
        waiting.extend(_further(stage, states))


def raced_at(
    stage: Stage, raced: Collection[str], others: Mapping[str, str], rivals: Mapping[str, str]
) -> Iterator[tuple[Texts, Pair]]:
    """In this state, and where all that leads to it was done for two things.

    `others` and `rivals` are the calls with other arguments, and with others behind the first one. Pairs after a
    single call are tried anyway.
    """
    pairs = [pair for pair in stage.pairs() if not set(raced).isdisjoint(pair)]
    twins = [one for one, other in pairs if one == other]
    against_rivals = [(one, rivals[one]) for one in twins if one in rivals]
    twice = tuple(text for each in stage.before for text in (each, others.get(each)) if text is not None)
    yield from ((stage.before, pair) for pair in (*(pairs if len(stage.before) > 1 else ()), *against_rivals))
    if len(twice) > len(stage.before):
        against_others = [(one, others[one]) for one in twins if one in others]
        yield from ((twice, pair) for pair in (*pairs, *against_rivals, *against_others))


def _further(stage: Stage, states: set[State]) -> Iterator[Texts]:
    """What leads to other states."""
    for call, seen in stage.seen.items() if len(stage.before) < DEEPEST else ():
        if seen is not None and seen.state not in states:
            states.add(seen.state)
            yield *stage.before, call
