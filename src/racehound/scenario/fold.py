"""Serial orders of many identical tasks, which differ in nothing but names.

Ten calls of one method have ten factorial serial orders, all alike but for which task has which result. Where
there are too many orders, only those count in which identical tasks begin in the order of their numbers, and
outcomes are compared with the results of identical tasks sorted: renaming the tasks of any outcome gives one of
these, and no two outcomes that differ in more than names become equal.
"""

from collections.abc import Callable, Iterator, Sequence
from math import factorial, prod

from racehound.errors import HarnessError
from racehound.scenario.blocks import NO_MEETINGS, Meetings

FEW_ORDERS = 720
TOO_MANY_ORDERS = 5040


class Fold:
    """`groups` numbers the kinds of tasks, `lengths` counts the operations of each."""

    def __init__(self, groups: Sequence[int], lengths: Sequence[int]) -> None:
        self._groups = groups
        self._lengths = lengths
        orders = factorial(sum(lengths)) // prod(factorial(length) for length in lengths)
        self._names_count = orders <= FEW_ORDERS
        self._count = (
            orders
            if self._names_count
            else orders // prod(factorial(groups.count(group)) for group in set(groups))
        )

    def orders(self) -> Iterator[tuple[int, ...]]:
        """The serial orders that count, in lexicographic order; each names the task of each operation."""
        if self._count > TOO_MANY_ORDERS:
            raise HarnessError(
                f"the tasks can run one after the other in {self._count} ways, too many to compare with",
                hint="race fewer of them, or give an invariant",
            )
        return self._extend((), list(self._lengths))

    def _extend(self, order: tuple[int, ...], left: list[int]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield order
        for task, count in enumerate(left):
            if count and not self._waits(task, left):
                left[task] -= 1
                yield from self._extend((*order, task), left)
                left[task] += 1

    def _waits(self, task: int, left: Sequence[int]) -> bool:
        """Whether an identical task with a smaller number has to begin first."""
        return not self._names_count and any(
            self._groups[elder] == self._groups[task] and left[elder] == self._lengths[elder]
            for elder in range(task)
        )

    def sorted_results(
        self, results: Sequence[list[object]], key: Callable[[list[object]], str]
    ) -> Sequence[list[object]]:
        """The results of all tasks, in an order that does not depend on the names of identical tasks."""
        if self._names_count:
            return results
        order = sorted(range(len(results)), key=lambda task: (self._groups[task], key(results[task])))
        return [results[task] for task in order]

    def with_names(self, met: Meetings) -> Meetings:
        """Which operations met, where it is known which one is which."""
        return met if self._names_count else NO_MEETINGS

    def representatives(self, done: Sequence[int], blocked: Sequence[int]) -> tuple[list[int], list[int]]:
        """Who has finished what and who waits, with identical tasks renamed so that the first got furthest."""
        if self._names_count:
            return list(done), list(blocked)
        places = sorted(range(len(done)), key=lambda task: (self._groups[task], -done[task]))
        slots = sorted(range(len(done)), key=lambda task: (self._groups[task], task))
        renamed = dict(zip(places, slots, strict=True))
        counts = [0] * len(done)
        for task, count in enumerate(done):
            counts[renamed[task]] = count
        kinds: dict[tuple[int, int], int] = {}
        for task in sorted(renamed[task] for task in blocked):
            kinds.setdefault((self._groups[task], counts[task]), task)
        return counts, sorted(kinds.values())
