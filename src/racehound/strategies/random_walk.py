from collections.abc import Mapping, Sequence
from random import Random

from racehound.engine.operation import Operation
from racehound.model.schedule import TaskId


class RandomWalk:
    """Tosses a die at every step: simple, and biased against schedules that stay long with one task."""

    exhausted = False
    bound = None

    def __init__(self, *, seed: int = 0) -> None:
        self._bits = Random(seed).getrandbits  # noqa: S311 - chance that must be repeatable, not secret

    def start_execution(self) -> bool:
        return True

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del current, pending
        # What `Random.choice` does with its bits, so that a seed means what it has always meant.
        number = len(runnable)
        bits = number.bit_length()
        drawn = self._bits(bits)
        while drawn >= number:
            drawn = self._bits(bits)
        return runnable[drawn]

    def end_execution(self, pending: Mapping[TaskId, Operation]) -> None:
        """Nothing to learn."""
