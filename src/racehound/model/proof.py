"""What running the code showed: a verdict that never says more than was seen."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """`safe` means exhausted without a bound; a search cut short is never called safe."""

    RACE = "race"
    SAFE = "safe"
    BOUNDED = "bounded"
    SAMPLED = "sampled"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One operation of the interleaving, as a person reads it."""

    task: int
    path: str
    line: int
    source: str
    operation: str
    target: str
    value: str
    switch: bool
    """True where control came here from another task that could have gone on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """A task that has no thread of its own or was started by the code under proof."""

    task: int
    parent: int
    """The task that started it, or on whose thread it runs."""
    shares_thread: bool
    begun: int
    """How many steps of the timeline came before its own first, shown or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Results of the operations and the state they left, rendered; `order` names the tasks of a serial run."""

    results: tuple[str, ...]
    state: str
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioText:
    """What was raced, in Python source: a set-up expression, prefix calls, then one call sequence per task."""

    setup: str
    prefix: tuple[str, ...]
    tasks: tuple[tuple[str, ...], ...]
    on_loop: bool = False
    """Whether everything is done on one event loop, what does not await included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result of a search; the schedule behind `token` is its single truth."""

    verdict: Verdict
    reason: str
    """One sentence: the failure, what was exhausted, or what cut the search short."""
    executions: int
    oracle: str = ""
    """What was violated or checked: serial outcomes, exception, deadlock, invariant."""
    token: str | None = None
    timeline: tuple[Step, ...] = ()
    births: tuple[Birth, ...] = ()
    """Of the tasks in the timeline that the scenario does not name, in the order of their numbers."""
    scenario: ScenarioText | None = None
    serial: tuple[Outcome, ...] = ()
    outcome: Outcome | None = None
    """The outcome that no serial order gives; None unless the verdict is a race found by its outcome."""
    masked: tuple[str, ...] = ()
    """Parts of the state that differ between two runs of the same serial order and were not compared."""
    confirmation: str = ""
    """What free-running threads of the plain interpreter showed; empty unless asked for."""
    test: str = ""
    """A pytest module that fails on the code as it was proven racy; empty unless the verdict is a race."""
