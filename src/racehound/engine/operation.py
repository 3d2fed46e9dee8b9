"""Visible steps of a task, and when two of them depend on each other.

An operation is published before it runs, so that the strategy knows what every task is about to do. It is
described by its effects: which part of which object it reads or writes. Objects are numbered in the order in
which an execution first publishes them; the number is the same in every execution that begins with the same
choices, which is what lets the search compare operations of different executions.
"""

from collections.abc import Callable, Hashable
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, NewType

ObjectId = NewType("ObjectId", int)


class _Part:
    """A key that no program can produce."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


WHOLE: Final = _Part("WHOLE")
"""All of an object: meets every other part of it."""

SHAPE: Final = _Part("SHAPE")
"""Which keys a container has and in which order."""


LIFE: Final = _Part("LIFE")
"""Whether an object is still there."""


class Kind(StrEnum):
    START = "start"
    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    CHECK = "check"
    ITERATE = "iterate"
    CALL = "call"
    ACQUIRE = "acquire"
    TRY_ACQUIRE = "try-acquire"
    RELEASE = "release"
    YIELD = "yield"
    SPAWN = "spawn"
    FINISH = "finish"
    JOIN = "join"
    WAIT = "wait"
    NOTIFY = "notify"
    TAKE = "take"
    AWAIT = "await"


SYNCHRONIZING: Final = frozenset(
    {Kind.START, Kind.SPAWN, Kind.FINISH, Kind.JOIN, Kind.WAIT, Kind.NOTIFY, Kind.TAKE, Kind.AWAIT, Kind.YIELD}
)

ENABLED_BY: Final = {
    Kind.START: Kind.SPAWN,
    Kind.JOIN: Kind.FINISH,
    Kind.WAIT: Kind.NOTIFY,
}
"""What the first waits for is the second, so the two are never a choice."""


class Effect(NamedTuple):
    subject: ObjectId
    part: Hashable
    writes: bool


@lru_cache(maxsize=1 << 16)
def single_effect(subject: ObjectId, part: Hashable, writes: bool) -> tuple[Effect, ...]:
    """The effects of an operation that has just this one; nearly every step of every execution asks."""
    return (Effect(subject, part, writes),)


def effects_meet(mine: Effect, theirs: Effect) -> bool:
    """Whether the order of the two can matter."""
    if mine.subject != theirs.subject or not (mine.writes or theirs.writes):
        return False
    return mine.part is WHOLE or theirs.part is WHOLE or mine.part == theirs.part


def always() -> bool:
    return True


def never() -> bool:
    return False


class Operation:
    """One visible step; `ready` tells whether it could run now without blocking."""

    __slots__ = (
        *("deadline", "effects", "inner", "kind", "label", "late", "many_ways", "ready", "recurs", "refresh"),
        *("site", "subject"),
    )

    def __init__(  # noqa: PLR0913 - all but the first two have a default that nearly everybody takes
        self,
        kind: Kind,
        effects: tuple[Effect, ...],
        site: int = 0,
        subject: object = None,
        label: str = "",
        *,
        ready: Callable[[], bool] = always,
        refresh: Callable[[], tuple[Effect, ...]] | None = None,
        deadline: float | None = None,
    ) -> None:
        self.kind = kind
        self.effects = effects
        self.site = site
        self.subject = subject
        self.label = label
        self.ready = ready
        self.refresh = refresh
        """Works the effects out anew, where what other tasks do meanwhile can change them."""
        self.deadline = deadline
        """The virtual time at which it gives up waiting; it does so when nobody else can go on."""
        self.recurs = False
        """Whether a task in the background waits so in every round: then time may be up at any moment."""
        self.many_ways = False
        """Whether different steps of others may each end its wait, in any order."""
        self.late = False
        """Whether the effects are complete only once it has run."""
        self.inner: list[Operation] = []
        """What a late operation turned out to consist of."""

    def renewed(self) -> "Operation":
        """The operation with the effects it would have now."""
        if self.refresh is None:
            return self
        effects = self.refresh()
        if effects == self.effects:
            return self
        renewed = Operation(
            self.kind, effects, self.site, self.subject, self.label, ready=self.ready, deadline=self.deadline
        )
        renewed.refresh, renewed.late, renewed.many_ways = self.refresh, self.late, self.many_ways
        renewed.recurs = self.recurs
        return renewed

    @property
    def parts(self) -> "list[Operation]":
        """What it consists of, as far as that is known; a turn as such does nothing."""
        if not self.late:
            return [self]
        return self.inner if self.kind is Kind.AWAIT else [self, *self.inner]

    @property
    def blocks(self) -> bool:
        """Whether it may have to wait for another task."""
        return self.ready is not always

    def depends_on(self, other: "Operation") -> bool:
        """Whether the order of the two can matter."""
        # As `effects_meet`, without a call for each pair: nothing is asked more often.
        for subject, part, writes in self.effects:
            for other_subject, other_part, other_writes in other.effects:
                if (
                    subject == other_subject
                    and (writes or other_writes)
                    and (part is WHOLE or other_part is WHOLE or part == other_part)
                ):
                    return True
        return False

    def may_overtake(self, earlier: "Operation") -> bool:
        """Whether there is a state in which both could run next."""
        is_free = self.deadline is not None or self.many_ways
        return is_free or ENABLED_BY.get(self.kind) is not earlier.kind

    def is_like(self, other: "Operation") -> bool:
        """Whether the two have the same signature."""
        same = self.kind is other.kind and self.site == other.site
        return same and (self.effects == other.effects or self.late or other.late)

    def gain(self, effect: Effect) -> None:
        """Something else that it turned out to do when it ran."""
        self.effects += (effect,)
        self.late = True

    def signature(self) -> tuple[Kind, int, tuple[Effect, ...]]:
        """What must be the same when the same choices are made again."""
        return self.kind, self.site, () if self.late else self.effects

    def __repr__(self) -> str:
        return f"<{self.kind} {self.label or list(self.effects)}>"


START: Final = Operation(Kind.START, ())
