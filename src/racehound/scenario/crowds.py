"""Scenarios of three tasks, and of tasks with two operations.

Two tasks of one operation each show most races, and show them best. But a waiter that is woken although another
took what it waited for needs a third task, three locks can be taken in a circle, and that a change is made in two
steps is sometimes seen only by somebody who looks twice.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product

from racehound.model.proof import ScenarioText
from racehound.scenario.parts import unpaused

LIMIT = 150
"""So many of these scenarios are tried, the ones of fewer different operations first."""

MOST_BEFORE = 3
"""So many calls may come before those that wait: as long as there is something left for them they do not."""

Tasks = tuple[tuple[str, ...], ...]


def crowds(setup: str, calls: Sequence[str], waits: Callable[[str], bool]) -> Iterator[ScenarioText]:
    """`waits` tells of a call whether it was seen waiting for another one."""
    found = (*_of_three(calls), *_looking_twice(calls))
    for tasks in found[:LIMIT]:
        yield ScenarioText(setup=setup, prefix=(), tasks=tasks)
    waiting = [(waiter, other) for waiter, other in permutations(calls, 2) if waits(waiter)]
    for waiter, other in waiting:
        yield ScenarioText(setup=setup, prefix=(), tasks=((waiter,), (waiter,), (other, other)))
    for (waiter, other), count in product(waiting, range(1, MOST_BEFORE + 1)):
        before = (unpaused(waiter),) * count
        for wakes in ((other, other), (other,)):
            yield ScenarioText(setup=setup, prefix=before, tasks=((waiter,), (waiter,), wakes))


def _of_three(calls: Sequence[str]) -> Iterator[Tasks]:
    yield from (((twice,), (twice,), (once,)) for twice, once in permutations(calls, 2))
    yield from (((call,), (call,), (call,)) for call in calls)
    yield from (((one,), (other,), (third,)) for one, other, third in combinations(calls, 3))


def _looking_twice(calls: Sequence[str]) -> Iterator[Tasks]:
    for seen, looks in product(calls, permutations(calls, 2)):
        if seen not in looks:
            yield (seen,), looks


def is_pair(scenario: ScenarioText) -> bool:
    """Whether it is one of two tasks with one operation each."""
    return [len(task) for task in scenario.tasks] == [1, 1]
