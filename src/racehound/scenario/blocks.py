"""Operations that stand still inside of a block, and which of them did so at once.

Results and final state do not tell everything about blocks: a lock that lets two in leaves nothing behind, and
that a pool lends one thing to two is seen only by who knows that neither had given it back. So where two of them
stand at their pauses at the same time, only those serial orders count in which they do so, too. Where they do not,
every serial order counts: one that has not come to its pause yet may have got what it gets there long before.
"""

from collections.abc import Awaitable, Callable, Generator
from types import coroutine
from typing import Final

from racehound.primitives.asyncio_futures import touch

Pause = tuple[int, int]
"""A task, and how many parts of its operations are behind it."""
Meetings = frozenset[frozenset[Pause]]
Hold = Callable[[], Awaitable[object]]
"""Lets others come in, on an event loop."""


@coroutine
def suspend() -> Generator[None, None, None]:
    """Let whoever is ready go on."""
    yield


async def no_hold() -> None:
    """Where nobody else is there."""


class Blocks:
    """Who stands at a pause, in one execution."""

    def __init__(self) -> None:
        self._standing: set[Pause] = set()
        self._met: set[frozenset[Pause]] = set()

    @property
    def met(self) -> Meetings:
        return frozenset(self._met)

    def begin(self, pause: Pause) -> None:
        """A task comes to its pause."""
        touch(self)
        self._met.update(frozenset({pause, other}) for other in self._standing)
        self._standing.add(pause)

    def end(self, pause: Pause) -> None:
        """It goes on, if it stood there."""
        if pause in self._standing:
            touch(self)
            self._standing.discard(pause)


NO_MEETINGS: Final[Meetings] = frozenset()
