"""Scenarios of three tasks, and of tasks with two operations.

Two tasks of one operation each show most races, and show them best. But a waiter that is woken although another
took what it waited for needs a third task, three locks can be taken in a circle, and that a change is made in two
steps is sometimes seen only by somebody who looks twice.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product

from racehound.model.proof import ScenarioText

LIMIT = 150
"""So many of these scenarios are tried, the ones of fewer different operations first."""

Tasks = tuple[tuple[str, ...], ...]


def crowds(setup: str, calls: Sequence[str], waits: Callable[[str], bool]) -> Iterator[ScenarioText]:
    """`waits` tells of a call whether it was seen waiting for another one."""
    found = (*_of_three(calls), *_looking_twice(calls))
    for tasks in found[:LIMIT]:
        yield ScenarioText(setup=setup, prefix=(), tasks=tasks)
    for waiter, other in permutations(calls, 2):
        if waits(waiter):
            yield ScenarioText(setup=setup, prefix=(), tasks=((waiter,), (waiter,), (other, other)))


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
