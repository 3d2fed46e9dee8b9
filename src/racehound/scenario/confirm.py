"""From a failing execution to the shortest schedule that fails again and again, and its picture."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
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

MANY = 10
"""How often a schedule has to fail if its values are others each time."""
VARIES = "(another in each run)"

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

    oracle: str
    """What the failure violates."""

    def is_the_same_as(self, other: "Replayed") -> bool:
        same = self.signature == other.signature and self.failure == other.failure
        return same and self.steps == other.steps

    def is_like(self, other: "Replayed") -> bool:
        """Whether the same was done to the same objects and failed in the same way, whatever the values were."""
        return self.course == other.course and len(self.steps) == len(other.steps)

    @property
    def course(self) -> tuple[object, ...]:
        """What took place, but for values."""
        operations = [(task, operation.kind, operation.site) for task, operation in self.trace.events]
        touched = [
            (effect.subject, effect.writes) for _, operation in self.trace.events for effect in operation.effects
        ]
        raised = [type(task.error) for task in self.trace.tasks]
        return self.failure is not None, self.oracle, raised, operations, touched

    def masking(self, other: "Replayed") -> "Replayed":
        """Without the values that were others in another run."""
        pairs = zip(self.steps, other.steps, strict=True)
        steps = [one if one.value == another.value else replace(one, value=VARIES) for one, another in pairs]
        return replace(self, steps=tuple(steps))


def replay(explorer: Explorer, program: Program, judge: Oracle, schedule: Schedule) -> Replayed:
    recorder = ValueRecorder()
    trace = explorer.run(program.prepare, Replay(schedule), watcher=recorder)
    ended = trace.ending in _JUDGED  # else the schedule is of other code, and the last operation never happened
    return Replayed(
        trace=trace,
        signature=tuple((event.task, event.operation.signature()) for event in trace.events),
        steps=steps_of(trace, recorder.values) if ended else (),
        births=births_of(trace) if ended else (),
        failure=judge(trace) if ended else None,
        outcome=None if trace.ending in STUCK else program.observe().shown,
        oracle=judge.oracle,
    )


def confirm(explorer: Explorer, program: Program, judge: Oracle, schedule: Schedule) -> Replayed | None:
    """The replay, if running the schedule twice fails twice in the same way.

    Random numbers, the date, names of temporary files and addresses are others in each run. Where they show, the
    failure could be their doing as well, so the schedule has to fail many times.
    """
    first, second = (replay(explorer, program, judge, schedule) for _ in range(2))
    if first.failure is None or not first.is_like(second):
        return None
    if first.is_the_same_as(second):
        return second
    more = (replay(explorer, program, judge, schedule) for _ in range(MANY - 2))
    return second.masking(first) if all(map(first.is_like, more)) else None


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
