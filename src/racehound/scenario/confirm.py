"""From a failing execution to the shortest schedule that fails again and again, and its picture."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import gettempdir
from time import monotonic

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer
from racehound.model.proof import Birth, Outcome, Step
from racehound.model.schedule import Schedule
from racehound.scenario.births import births_of
from racehound.scenario.judge import Oracle
from racehound.scenario.program import Program
from racehound.scenario.shrink import Order, joined_schedules, shorter_schedules
from racehound.scenario.stuck import STUCK
from racehound.scenario.timeline import ValueRecorder, steps_of
from racehound.strategies.guided import Guided
from racehound.strategies.replay import Replay

SHRINKING_SECONDS = 1.0
"""At least, unless less is left; else a quarter of what is left."""

_JUDGED = (Ending.COMPLETE, *STUCK)


@dataclass(frozen=True, slots=True)
class Replayed:
    """One run of a schedule."""

    trace: Trace
    signature: tuple[object, ...]
    steps: tuple[Step, ...]
    births: tuple[Birth, ...]
    failure: str | None
    outcome: Outcome | None

    @property
    def shown(self) -> str:
        """What a person is told, but for the names that `tempfile` makes up anew in each run."""
        below = re.escape(gettempdir() + os.sep)
        return re.sub(rf"(?<={below})[^\s/\\'\"]+", "...", f"{self.steps} {self.failure}")


def replay(explorer: Explorer, program: Program, judge: Oracle, schedule: Schedule) -> Replayed:
    recorder = ValueRecorder()
    trace = explorer.run(program.prepare, Replay(schedule), watcher=recorder)
    ended = trace.ending in _JUDGED  # else the schedule is of other code, and the last operation never happened
    return Replayed(
        trace=trace,
        signature=tuple((event.task, event.operation.signature()) for event in trace.events),
        steps=steps_of(trace, recorder.values) if ended else (),
        births=births_of(trace, len(program.text.tasks)) if ended else (),
        failure=judge(trace) if ended else None,
        outcome=None if trace.ending in STUCK else program.observe().shown,
    )


def confirm(explorer: Explorer, program: Program, judge: Oracle, schedule: Schedule) -> Replayed | None:
    """The replay, if running the schedule twice fails twice in the same way."""
    first = replay(explorer, program, judge, schedule)
    second = replay(explorer, program, judge, schedule)
    same = first.signature == second.signature and first.shown == second.shown
    return second if same and first.failure is not None else None


def shortest(
    explorer: Explorer, program: Program, judge: Oracle, trace: Trace, *, seconds: float = SHRINKING_SECONDS
) -> Schedule:
    """A schedule with a single preemption that fails too, else one with as few switches as was found in time."""
    time = min(seconds, max(SHRINKING_SECONDS, seconds / 4))
    begun = monotonic()

    def failing(orders: Iterator[Order], *, share: float) -> Iterator[Schedule]:
        for order in orders:
            if monotonic() > begun + share * time:
                return
            shorter = explorer.run(program.prepare, Guided(order))
            if shorter.ending in _JUDGED and judge(shorter) is not None:
                yield shorter.schedule

    found = next(failing(shorter_schedules(trace), share=0.4), None)
    if found is not None:
        return found
    best = trace.schedule
    while (better := _first_shorter(failing(joined_schedules(best), share=1), best)) is not None:
        best = better
    return best


def _first_shorter(schedules: Iterator[Schedule], best: Schedule) -> Schedule | None:
    return next((found for found in schedules if len(found.switches) < len(best.switches)), None)
