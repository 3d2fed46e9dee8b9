"""Several threads in the background, and the order in which they had their turns.

Where there is one such thread, operations are placed among its sections beforehand. Several of them may take turns
in more ways than can be tried, so the serial orders with which an execution is compared let them do so as they did
there: by the beginnings of their sections, or by the ends.
"""

from collections.abc import Iterator

from racehound.engine.explorer import Explorer
from racehound.engine.trace import Trace
from racehound.model.schedule import TaskId
from racehound.scenario.blocks import Meetings
from racehound.scenario.outcomes import SerialOutcomes
from racehound.scenario.program import Observation, Program
from racehound.scenario.sections import BEGINNINGS, Sections
from racehound.scenario.serial import TooMany, observed_between
from racehound.scenario.snapshot import Snapshot
from racehound.strategies.in_sequence import InSequence

SEVERAL = 2
MOST = 20
"""Orders of the background that are tried for one scenario."""

Order = tuple[TaskId, ...]


class Alongside:
    """What is to be seen in serial orders beside several threads in the background."""

    def __init__(self, explorer: Explorer, program: Program) -> None:
        self._explorer = explorer
        self._program = program
        self._known: dict[Order, _Sightings] = {}

    def explains(self, trace: Trace, serial: SerialOutcomes, snapshot: Snapshot, met: Meetings) -> bool:
        """Whether the outcome is one of these; raises TooMany where there are too many orders to say."""
        sections = Sections(trace, trace.first)
        orders = {sections.by_beginning(): None, sections.by_end(): None}
        return any(
            serial.is_among([sighting], snapshot, met)
            for order in orders
            for sighting in self._beside(trace.first, order)
        )

    def _beside(self, first: int, order: Order) -> "_Sightings":
        if order not in self._known:
            if len(self._known) >= MOST:
                raise TooMany
            strategy = lambda: InSequence(first, order, BEGINNINGS)  # noqa: E731 - a fresh one for each execution
            self._known[order] = _Sightings(observed_between(self._explorer, self._program, strategy))
        return self._known[order]


class _Sightings:
    """Kept as they are asked for: the first ones may be all that is needed."""

    def __init__(self, source: Iterator[Observation]) -> None:
        self._source = source
        self._seen: list[Observation] = []

    def __iter__(self) -> Iterator[Observation]:
        yield from self._seen
        for sighting in self._source:
            self._seen.append(sighting)
            yield sighting


def has_several_in_background(trace: Trace) -> bool:
    """Whether more than one thread of the background has done something."""
    return len(set(Sections(trace, trace.first).by_beginning())) >= SEVERAL
