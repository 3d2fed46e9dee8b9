"""The same work on many things, in several processes where there is enough of it."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

ENOUGH = 400
"""Things to work on from which on starting a process, and passing results back from it, pays."""
_PORTION = 40


def in_order(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """The results in the order of the items, whoever worked them out."""
    if jobs <= 1 or len(items) < ENOUGH:
        yield from map(work, items)
        return
    from racehound.pipeline.workers import Crew  # noqa: PLC0415 - it takes as long as a small hunt

    portions = [items[start : start + _PORTION] for start in range(0, len(items), _PORTION)]
    yield from Crew(work, portions).results(min(jobs, len(portions)))
