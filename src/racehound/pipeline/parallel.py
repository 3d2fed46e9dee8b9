"""The same work on many things, in several processes where there is enough of it."""

import gc
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
    # Imported late: it takes as long as a small hunt. New processes, because a fork would take threads half along.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=gc.disable) as pool:
        yield from pool.map(work, items, chunksize=_PORTION)
