"""Several strategies take turns, because each is blind where another sees.

DPOR is at its best with few tasks, however many irrelevant steps they take, and it alone can prove absence. It
drowns where many tasks differ in what they do. POS and URW are at their best just there: each draws from all
orders at once, so a bug that many orders show is met soon, wherever in the order of the search it lies.

DPOR has the first two turns, since most races show as soon as one order is turned round and its counterexamples
are the simplest. Then all take turns. What sampling can find it finds early; later turns belong mostly to the
strategy that can come to an end.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, cycle, repeat
from typing import TYPE_CHECKING

from racehound.engine.strategy import Beginning, beginning_of
from racehound.strategies.dpor import Dpor
from racehound.strategies.pos import PartialOrderSampling
from racehound.strategies.urw import UniformRandomWalk

if TYPE_CHECKING:
    from racehound.engine.strategy import Strategy

PROVER = 0
EQUAL_ROUNDS = 60
LATER_SHARE = 8
"""Turns of DPOR for one of each sampling strategy, after the equal rounds."""


def _turns(samplers: int) -> Iterator[int]:
    drawing = list(range(1, samplers + 1))
    equal = [PROVER, *drawing]
    later = [*repeat(PROVER, LATER_SHARE), *drawing]
    return chain([PROVER, PROVER], *repeat(equal, EQUAL_ROUNDS), cycle(later))


class Portfolio:
    """DPOR with POS and URW at its side; exhausted when DPOR is."""

    bound = None

    def __init__(self, *, seed: int = 0, groups: Sequence[int] = ()) -> None:
        self._prover = Dpor(groups)
        self._strategies: tuple[Strategy, ...] = (
            self._prover,
            PartialOrderSampling(seed=seed),
            UniformRandomWalk(seed=seed),
        )
        self._turns = _turns(len(self._strategies) - 1)
        self._active: Strategy = self._prover
        self.choose = self._active.choose
        self.end_execution = self._active.end_execution
        self.beginning: Beginning = ()

    @property
    def exhausted(self) -> bool:
        return self._prover.exhausted

    def start_execution(self) -> bool:
        if self.exhausted:
            return False
        self._active = self._strategies[next(self._turns)]
        self.choose, self.end_execution = self._active.choose, self._active.end_execution
        goes_on = self._active.start_execution()
        self.beginning = beginning_of(self._active)
        return goes_on
