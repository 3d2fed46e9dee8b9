"""Why a strategy has no value although it did not fail by itself."""


class StrategyUnfinished(Exception):
    """A strategy gave no result, for a reason that lies outside it."""

    def __init__(self, strategy: str, reason: str) -> None:
        super().__init__(strategy, reason)
        self.strategy = strategy
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.strategy}: {self.reason}"


class StrategyTimedOut(StrategyUnfinished, TimeoutError):
    """The strategy was not back by its deadline; whatever it still returns is ignored."""


class StrategyCancelled(StrategyUnfinished):
    """Nobody waits for the strategy any more: the round was decided, given up or shut down."""


class StrategyRejected(StrategyUnfinished):
    """The executor had no room for the strategy, or no longer takes any."""
