"""Strategies by the names that users write."""

from collections.abc import Callable, Sequence
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


def check_name(name: str) -> None:
    if name not in _STRATEGIES:
        raise UsageError(f"there is no strategy {name}", hint=f"choose one of {', '.join(NAMES)}")


def make_strategy(name: str, *, seed: int = 0, groups: Sequence[int] = ()) -> SearchStrategy:
    """The strategy of that name; `groups` gives identical tasks equal numbers."""
    check_name(name)
    return _STRATEGIES[name](seed, groups)
