"""A failure counts only if the serial outcomes are still what they were.

Code may look at what is not under control: the date, a random number, a counter of a library. Such a thing need
not change between two runs that follow each other at once, and then looks like a race in a later one. So before
a failure is believed the serial orders are run again. What has changed meanwhile is masked, and the search goes
on. So it does where it makes a difference that waiting takes a little longer.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from racehound.engine.control import CONTROL
from racehound.engine.determinism import ENOUGH, is_steady
from racehound.engine.determinism import UNSTEADY as CHOICES
from racehound.engine.explorer import Explorer, Search
from racehound.errors import HarnessError
from racehound.scenario.chance import NO_CHANCE, chance_in
from racehound.scenario.invariants import check_invariant
from racehound.scenario.judge import InvariantJudge, Oracle
from racehound.scenario.lateness import LATENESS
from racehound.scenario.more_rounds import settle_rounds
from racehound.scenario.outcomes import SerialOutcomes
from racehound.scenario.program import Program
from racehound.scenario.searched import Searched
from racehound.scenario.serial import serial_outcomes, with_background
from racehound.scenario.snapshot import differing_paths, without

ROUNDS: Final = 4
RUNS: Final = 12
UNSTEADY: Final = "the same calls, one after the other, come to something else each time they are made"

JudgeOf = Callable[[SerialOutcomes | None], Oracle]


def search_steadily(
    explorer: Explorer,
    program: Program,
    serial: SerialOutcomes | None,
    judge_of: JudgeOf,
    search: Callable[[Oracle], Search],
) -> Searched:
    """Search until nothing is found, or something that is not due to a change of the serial outcomes."""
    steadily = partial(_search_steadily, explorer, program, serial, judge_of, search)
    return settle_rounds(steadily(), steadily)


def _search_steadily(
    explorer: Explorer,
    program: Program,
    serial: SerialOutcomes | None,
    judge_of: JudgeOf,
    search: Callable[[Oracle], Search],
) -> Searched:
    for _ in range(ROUNDS):
        judge = judge_of(serial)
        found = search(judge)
        if found.trace is not None and isinstance(judge, InvariantJudge) and judge.raised is not None:
            check_invariant(explorer, program, judge)
        if found.trace is None and serial is not None and serial.masked:
            _look_for_choices(explorer, program, found)
        if found.trace is None or serial is None:
            return Searched(found, judge, serial)
        later = _with_lateness(explorer, program, _masking_changes(explorer, program, serial))
        if serial.between is None and len(found.trace.tasks) > found.trace.first:
            later = with_background(explorer, program, later)
        if later == serial:
            return Searched(found, judge, serial)
        serial = later
    raise HarnessError(UNSTEADY)


def _look_for_choices(explorer: Explorer, program: Program, found: Search) -> None:
    """Where the same order came to two ends, see more often than usual whether it also takes the same steps."""
    if found.exhausted and not is_steady(lambda order: explorer.run(program.prepare, order), ENOUGH - RUNS):
        found.caveats.add(CHOICES)


def _masking_changes(explorer: Explorer, program: Program, serial: SerialOutcomes) -> SerialOutcomes:
    CONTROL.waited = False
    later = serial_outcomes(explorer, program)
    if len(later.observations) != len(serial.observations):
        raise HarnessError(UNSTEADY)
    pairs = zip(serial.observations, later.observations, strict=True)
    again = [(before.snapshot, after.snapshot) for before, after in pairs]
    masked = serial.masked.union(later.masked, *(differing_paths(*pair) for pair in again))
    known = (*serial.pairs, *later.pairs, *again)
    return replace(serial, masked=masked, pairs=known, chance=chance_in(known) if masked else NO_CHANCE)


def _with_lateness(explorer: Explorer, program: Program, serial: SerialOutcomes) -> SerialOutcomes:
    """What the outcomes are if waiting takes longer, unless that is known or makes no difference."""
    if serial.late or not CONTROL.waited:
        return serial
    CONTROL.lateness = LATENESS
    try:
        late = serial_outcomes(explorer, program).observations
    finally:
        CONTROL.lateness = 0.0
    if len(late) != len(serial.observations):
        return serial
    exact, later = (
        [without(item.snapshot, serial.masked) for item in items] for items in (serial.observations, late)
    )
    return serial if exact == later else replace(serial, late=tuple(later))
