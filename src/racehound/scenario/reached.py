"""Whether the two operations that a finding accuses have met in any execution.

What is called safe is that these two cannot hurt each other. Where one of them never ran, or both only ever in the
same task, nobody has looked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from racehound.engine.execution import Trace
from racehound.instrument.sites import SITES


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file in which an operation stands."""

    path: str
    line: int
    end_line: int
    source: str
    """The operation, for a sentence."""


class Reached:
    """Told of every execution of a search."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = tuple(places)
        self._known: dict[int, frozenset[int]] = {}
        self._seen: set[int] = set()
        self._have_met = not places

    def note(self, trace: Trace) -> None:
        if self._have_met:
            return
        tasks: dict[int, set[int]] = {}
        for task, turn in trace.events:
            for operation in (turn, *turn.inner):  # a turn of a coroutine is what it consists of
                for place in self._places_at(operation.site):
                    tasks.setdefault(place, set()).add(task)
        self._seen |= tasks.keys()
        everybody = set().union(*tasks.values())
        self._have_met = len(tasks) == len(self._places) and len(everybody) > 1

    def missing(self) -> str | None:
        """A clause about what never happened; None where both have met."""
        if self._have_met:
            return None
        unseen = [place for number, place in enumerate(self._places) if number not in self._seen]
        if unseen:
            return f"nothing was seen of `{unseen[0].source}` in line {unseen[0].line}"
        lines = " and ".join(f"{place.line}" for place in self._places)
        return f"no two tasks have met in {'lines' if len(self._places) > 1 else 'line'} {lines}"

    def _places_at(self, number: int) -> frozenset[int]:
        known = self._known.get(number)
        if known is None:
            site = SITES[number]
            known = self._known[number] = frozenset(
                index
                for index, place in enumerate(self._places)
                if place.path == site.path and place.line <= site.line <= place.end_line
            )
        return known
