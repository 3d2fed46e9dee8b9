"""Coroutines that wait for their own future under the lock which whoever completes it has to take first."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.futures import Kept, completing, kept_futures
from racehound.analysis.program import Program
from racehound.source.events import SELF, Event, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts


class LockedOut(NamedTuple):
    kept: Kept
    sender: FunctionFacts
    at: int
    """Where the sender completes the future."""
    lock: int


def locked_out(program: Program, owner: ClassFacts) -> Iterator[LockedOut]:
    """Each wait without a limit that nobody can end but by way of the lock that is held meanwhile."""
    for kept in kept_futures(owner, program.kinds, program.hierarchy):
        held = 0 if kept.is_limited else program.locksets.at(kept.function, kept.wait)
        senders = [*_senders(program, owner, kept)] if held else []
        for sender, at in senders:
            held &= program.locksets.at(sender, at) | _held_for_it(program, sender, at, kept.field)
        if senders and held:
            yield LockedOut(kept, *senders[0], held)


def _held_for_it(program: Program, sender: FunctionFacts, at: int, field: str) -> int:
    """What the sender held when it took the future out of the field, be it given back since."""
    place = Place(SELF, (field,))
    looks = [index for index, event in enumerate(sender.events[:at]) if _is_on(event, place)]
    return program.locksets.at(sender, looks[-1]) if looks else 0


def _is_on(event: Event, place: Place) -> bool:
    return isinstance(event, Touch) and event.place == place


def _senders(program: Program, owner: ClassFacts, kept: Kept) -> Iterator[tuple[FunctionFacts, int]]:
    for function in program.hierarchy.effective(owner):
        if function is not kept.function:
            yield from ((function, at) for at, _, field in completing(function) if field == kept.field)
