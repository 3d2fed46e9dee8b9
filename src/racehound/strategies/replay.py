from collections.abc import Mapping, Sequence

from racehound.engine.operation import Operation
from racehound.errors import ReplayDrift
from racehound.model.schedule import Schedule, TaskId
from racehound.strategies.single import Single


class Replay(Single):
    """Makes the choices of a schedule again, once.

    Beyond the end of the schedule the running task goes on; a choice that cannot be made is a drift: the
    program depends on something that is not under control.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._choices = schedule.choices
        self._step = 0

    def choose(
        self, runnable: Sequence[TaskId], current: TaskId | None, pending: Mapping[TaskId, Operation]
    ) -> TaskId:
        del pending
        if self._step >= len(self._choices):
            return current if current is not None and current in runnable else runnable[0]
        chosen = self._choices[self._step]
        if chosen not in runnable:
            raise ReplayDrift(
                f"step {self._step} of the schedule wants task {chosen}, which cannot run there",
                hint="check that the code is the one the schedule was made for",
            )
        self._step += 1
        return chosen
