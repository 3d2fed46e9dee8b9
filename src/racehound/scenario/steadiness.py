"""A failure counts only if the serial outcomes are still what they were.

Code may look at what is not under control: the date, a random number, a counter of a library. Such a thing need
not change between two runs that follow each other at once, and then looks like a race in a later one. So before
a failure is believed the serial orders are run again. What has changed meanwhile is masked, and the search goes
on.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from racehound.engine.explorer import Explorer, Search
from racehound.errors import HarnessError
from racehound.scenario.invariants import check_invariant
from racehound.scenario.judge import InvariantJudge, Oracle
from racehound.scenario.program import Program
from racehound.scenario.serial import SerialOutcomes, serial_outcomes
from racehound.scenario.snapshot import differing_paths

ROUNDS: Final = 4
UNSTEADY: Final = "the same calls, one after the other, come to something else each time they are made"

JudgeOf = Callable[[SerialOutcomes | None], Oracle]


@dataclass(frozen=True, slots=True)
class Searched:
    """A search, and what its executions were held against."""

    search: Search
    judge: Oracle
    serial: SerialOutcomes | None


def search_steadily(
    explorer: Explorer,
    program: Program,
    serial: SerialOutcomes | None,
    judge_of: JudgeOf,
    search: Callable[[Oracle], Search],
) -> Searched:
    """Search until nothing is found, or something that is not due to a change of the serial outcomes."""
    for _ in range(ROUNDS):
        judge = judge_of(serial)
        found = search(judge)
        if found.trace is not None and isinstance(judge, InvariantJudge) and judge.raised is not None:
            check_invariant(explorer, program, judge)
        if found.trace is None or serial is None:
            return Searched(found, judge, serial)
        later = _masking_changes(explorer, program, serial)
        if later.masked == serial.masked:
            return Searched(found, judge, serial)
        serial = later
    raise HarnessError(UNSTEADY)


def _masking_changes(explorer: Explorer, program: Program, serial: SerialOutcomes) -> SerialOutcomes:
    later = serial_outcomes(explorer, program)
    if len(later.observations) != len(serial.observations):
        raise HarnessError(UNSTEADY)
    pairs = zip(serial.observations, later.observations, strict=True)
    changed = [differing_paths(before.snapshot, after.snapshot) for before, after in pairs]
    return replace(serial, masked=serial.masked.union(later.masked, *changed))
