from dataclasses import dataclass

from racehound.engine.explorer import Search
from racehound.scenario.judge import Oracle
from racehound.scenario.outcomes import SerialOutcomes


@dataclass(frozen=True, slots=True)
class Searched:
    """A search, and what its executions were held against."""

    search: Search
    judge: Oracle
    serial: SerialOutcomes | None
