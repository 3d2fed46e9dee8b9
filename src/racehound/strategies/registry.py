"""Strategies by the names that users write."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from racehound.engine.strategy import SearchStrategy
from racehound.errors import UsageError
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor
from racehound.strategies.pct import ProbabilisticConcurrencyTesting
from racehound.strategies.portfolio import Portfolio
from racehound.strategies.pos import PartialOrderSampling
from racehound.strategies.preemption_bound import PreemptionBound
from racehound.strategies.random_walk import RandomWalk
from racehound.strategies.urw import UniformRandomWalk

DEFAULT: Final = "portfolio"

_STRATEGIES: Final[dict[str, Callable[[int, Sequence[int]], SearchStrategy]]] = {
    DEFAULT: lambda seed, groups: Portfolio(seed=seed, groups=groups),
    "dpor": lambda _, groups: Dpor(groups),
    "pos": lambda seed, _: PartialOrderSampling(seed=seed),
    "urw": lambda seed, _: UniformRandomWalk(seed=seed),
    "pct": lambda seed, _: ProbabilisticConcurrencyTesting(seed=seed),
    "random-walk": lambda seed, _: RandomWalk(seed=seed),
    "preemption-bound": lambda _seed, _groups: PreemptionBound(),
    "dfs": lambda _seed, _groups: DepthFirst(),
}
NAMES: Final = tuple(_STRATEGIES)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which strategy to use, by name, and its seed."""

    name: str = DEFAULT
    seed: int = 0

    def __post_init__(self) -> None:
        if self.name not in _STRATEGIES:
            raise UsageError(f"there is no strategy {self.name}", hint=f"choose one of {', '.join(NAMES)}")

    def make(self, groups: Sequence[int] = ()) -> SearchStrategy:
        """A fresh strategy; `groups` gives identical tasks equal numbers."""
        return _STRATEGIES[self.name](self.seed, groups)


PORTFOLIO: Final = Choice()
