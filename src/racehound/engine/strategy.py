from collections.abc import Mapping, Sequence
from typing import Protocol

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class Strategy(Protocol):
    """Decides; never acts.

    A strategy lives across executions, holds no task objects and draws all chance from the seed it was
    built with: the same seed and the same answers of the program give the same schedule.
    """

    def start_execution(self) -> bool:
        """Prepare for one more execution, or say that there is none left to try.

        Who asks for choices takes `choose` once, after this: it may be another function for each execution.
        """
        ...

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId | None:
        """Pick who goes on; None ends an execution that an earlier one already stands for.

        `pending` holds the next operation of every task that is not done, blocked ones included; `current`
        is the task that ran last, or None when it has ended. Both collections are made for this one choice: a
        strategy may keep them.
        """
        ...

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Learn from the execution; `pending` is what unfinished tasks were still waiting for."""
        ...


Beginning = Sequence[tuple[TaskId, Operation]]
"""The first steps of an execution that goes the way of an earlier one: who made them, and what they did."""


def beginning_of(strategy: Strategy) -> Beginning:
    """The steps that a strategy knows already, as its `beginning`, after it was told to start an execution.

    Nobody looks at what else could be done there, and `choose` is asked from the step behind them on.
    """
    beginning: Beginning = getattr(strategy, "beginning", ())
    return beginning


def first_of_all(runnable: Sequence[TaskId], current: TaskId | None, pending: object) -> TaskId:
    """The choice of a set-up: tasks go on in the order of their numbers."""
    del current, pending
    return runnable[0]


class SearchStrategy(Strategy, Protocol):
    """A strategy that can say how far it has come."""

    @property
    def exhausted(self) -> bool:
        """Whether what was tried stands for every interleaving, without any bound."""
        ...

    @property
    def bound(self) -> int | None:
        """The number of preemptions up to which everything was tried, where that is all that can be said."""
        ...
