"""Races left to chance, for systems on which commands cannot be stopped.

What breaks here is broken; what does not break has only not been met.
"""

from racehound.audit.budget import Budget
from racehound.audit.ending import Ending, status_of
from racehound.audit.judge import judge
from racehound.audit.search import Progress, Search, Tally
from racehound.audit.stage import Stage
from racehound.model.audit import Violation
from racehound.processes.run import free_race

ROUNDS = 40
POINT = "both started at once"


def race_at_random(search: Search, budget: Budget, progress: Progress) -> None:
    rounds = budget.rounds or ROUNDS
    for number in range(1, rounds + 1):
        if budget.is_spent:
            return
        _race(search, search.stage)
        budget.done += 1
        progress(number, rounds)


def _race(search: Search, stage: Stage) -> None:
    tally = search.tally
    tally.schedules += 1
    stage.sandbox.restore()
    first, second = free_race(*stage.commands, stage.sandbox, timeout=stage.timeout)
    ending = Ending(status_of(first), status_of(second), stage.entries())
    judgement = judge(ending, (first, second), search.serial)
    if judgement.harm is None:
        _count(tally, refused=judgement.refused is not None)
        return
    tally.violations.append(
        Violation(
            schedule=tally.schedules,
            pair=search.name,
            point=POINT,
            what=judgement.harm,
            detail=judgement.detail,
            lost=judgement.lost,
            cache_only=judgement.cache_only,
        )
    )


def _count(tally: Tally, *, refused: bool) -> None:
    tally.refused += refused
    tally.serial += not refused
