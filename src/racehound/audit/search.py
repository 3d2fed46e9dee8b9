"""Running the schedules of one pair, and believing only what happens twice."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from racehound.audit.budget import Budget
from racehound.audit.drawing import drawn
from racehound.audit.ending import Ending
from racehound.audit.judge import Judgement, has_something_new, judge
from racehound.audit.schedule import Schedule
from racehound.audit.serial import Serial
from racehound.audit.stage import LOOKS, Stage, looked_at_again
from racehound.audit.tokens import Recipe
from racehound.model.audit import Harm, Violation
from racehound.processes.outcome import Interleaving, Run
from racehound.processes.sandbox import OutOfTime

BELIEVING = 3
"""Both serial orders, and the schedule again."""
MOST_HANGS = 2
"""Each takes a whole timeout, twice."""

Progress = Callable[[int, int], None]
"""Is told how many schedules are done and how many there are as far as is known."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One execution of a schedule."""

    schedule: Schedule
    ending: Ending
    meeting: Interleaving
    judgement: Judgement
    seconds: float


@dataclass(frozen=True, slots=True)
class Conflict:
    """A schedule in which one command kept the other out."""

    schedule: Schedule
    loser: int
    run: Run
    seconds: float = 0.0
    """How long it took until the wait was seen and both had ended."""


def different(conflicts: list[Conflict]) -> list[Conflict]:
    """One conflict for each message, of one switch if there is such: these can be brought about again."""
    found: dict[bytes, Conflict] = {}
    for conflict in sorted(conflicts, key=lambda conflict: len(conflict.schedule.then)):
        found.setdefault(conflict.run.stderr[:40] + conflict.run.stdout[:40], conflict)
    return list(found.values())


@dataclass(slots=True)
class Tally:
    """What the schedules came to, over all pairs."""

    schedules: int = 0
    serial: int = 0
    refused: int = 0
    waited: int = 0
    unstable: int = 0
    unconfirmed: list[int] = field(default_factory=list)
    """Schedules that broke something once, with no time left to see whether they do so again."""
    violations: list[Violation] = field(default_factory=list)
    refusals: list[Conflict] = field(default_factory=list)
    limits: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Search:
    """The schedules of one pair."""

    name: str
    stage: Stage
    serial: Serial
    recipe: Recipe
    tally: Tally
    time: Budget | None = None
    """Of the whole audit: nothing is begun that cannot end in it."""
    refusals: list[Conflict] = field(default_factory=list)
    waits: list[Conflict] = field(default_factory=list)
    """Of this pair alone."""
    _known: set[tuple[Harm | None, tuple[str, ...]]] = field(default_factory=set)
    """Harm that was confirmed already: the same once more needs no new look at the serial orders."""
    _hangs: int = 0

    def run(self, schedules: list[Schedule], budget: Budget, progress: Progress, *, least: int = 0) -> None:
        """At `least` so many are tried also where the share of time is over, unless one breaks or all time is."""
        total = self.tally.schedules + len(schedules)
        for schedule in schedules:
            owed = budget.done < least and not self.tally.violations and self._has_time_for(1)
            if (budget.is_spent and not owed) or budget.is_counted_out or self._is_over:
                return
            self.attempt(schedule)
            budget.done += 1
            progress(self.tally.schedules, total)

    @property
    def _is_over(self) -> bool:
        """Whether nothing can be learned any more: all hangs, or there is no time to believe what breaks."""
        return self._hangs >= MOST_HANGS or bool(self.tally.unconfirmed)

    def _has_time_for(self, runs: int) -> bool:
        """Of both commands, one after the other or against each other."""
        return self.time is None or self.time.has_just(runs * self.stage.pace)

    def attempt(self, schedule: Schedule) -> None:
        self.tally.schedules += 1
        number = self.tally.schedules
        trial = self._try(schedule, drawn=False)
        if trial.judgement.harm is None:
            self._count(trial)
            return
        try:
            self._suspect(number, trial)
        except OutOfTime:
            self.tally.unconfirmed.append(number)
            raise

    def _try(self, schedule: Schedule, *, drawn: bool = True) -> Trial:
        begun = time.monotonic()
        ending, meeting = self.stage.interleaved(schedule, drawn=drawn)
        seconds = time.monotonic() - begun
        self.tally.limits.update((*meeting.first.limits, *meeting.second.limits))
        judgement = judge(ending, (meeting.first, meeting.second), self.serial)
        return Trial(schedule, ending, meeting, judgement, seconds)

    def _suspect(self, number: int, trial: Trial) -> None:
        """Look again at what equal runs have in common, then run the schedule a second time.

        The serial runs come after the suspicious one, so a clock that moved in between has moved for them, too.
        """
        sign = (trial.judgement.harm, trial.judgement.lost)
        if not self._has_time_for(1 if sign in self._known else BELIEVING):
            self.tally.unconfirmed.append(number)
            return
        if sign not in self._known:
            trial = self._look_again(trial)
        if trial.judgement.harm is None:
            self._count(trial)
            return
        again = self._try(trial.schedule)
        if again.judgement.harm not in {None, Harm.STUCK} and again.meeting.second_waited:
            # Who waits by a clock of its own gives up at one time or another; that it breaks must be no accident.
            again = self._try(trial.schedule)
        if sign not in self._known and has_something_new(again.ending, self.serial):
            if not self._has_time_for(2 * LOOKS):
                self.tally.unconfirmed.append(number)
                return
            again = self._look_again(again, LOOKS)
        if again.judgement.harm is None:
            self.tally.unstable += 1
            self._count(again)
            return
        self._known.add(sign)
        self._hangs += again.judgement.harm is Harm.STUCK
        self.tally.violations.append(self._violation(number, again))

    def _look_again(self, trial: Trial, times: int = 1) -> Trial:
        self.serial = looked_at_again(self.serial, self.stage, times)
        runs = (trial.meeting.first, trial.meeting.second)
        return replace(trial, judgement=judge(trial.ending, runs, self.serial))

    def _count(self, trial: Trial) -> None:
        meeting, refused = trial.meeting, trial.judgement.refused
        runs = (meeting.first, meeting.second)
        if meeting.second_waited:
            self.tally.waited += 1
            loser = 0 if trial.schedule.exchanged else 1
            self.waits.append(Conflict(trial.schedule, loser, runs[loser], trial.seconds))
        if refused is None:
            self.tally.serial += 1
            return
        self.tally.refused += 1
        conflict = Conflict(trial.schedule, refused, runs[refused], trial.seconds)
        self.refusals.append(conflict)
        self.tally.refusals.append(conflict)

    def _violation(self, number: int, trial: Trial) -> Violation:
        judgement, schedule = trial.judgement, trial.schedule
        assert judgement.harm is not None  # noqa: S101 - only harm becomes a violation
        return Violation(
            schedule=number,
            pair=self.name,
            point=str(schedule),
            what=judgement.harm,
            detail=judgement.detail,
            lost=judgement.lost,
            token=replace(self.recipe, schedule=schedule).token(),
            cache_only=judgement.cache_only,
            held=schedule.hold > 0,
            steps=drawn(trial.meeting, exchanged=schedule.exchanged),
        )
