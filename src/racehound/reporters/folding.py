"""Loops in an interleaving: the first round and the last one are shown, those in between are counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from racehound.model.proof import Step

LEAST: Final = 4
"""Fewer rounds than these are all shown."""
LONGEST: Final = 24
"""Operations in a round."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Rounds of a loop that are left out."""

    task: int
    rounds: int


def folded(timeline: Sequence[Step]) -> Iterator[Step | Gap]:
    """The timeline with a gap in place of the rounds that only repeat; a round is never interrupted."""
    place = 0
    while place < len(timeline):
        length, rounds = _loop(timeline, place)
        if rounds < LEAST:
            yield timeline[place]
            place += 1
            continue
        end = place + length * rounds
        yield from timeline[place : place + length]
        yield Gap(timeline[place].task, rounds - 2)
        yield from timeline[end - length : end]
        place = end


def _loop(timeline: Sequence[Step], start: int) -> tuple[int, int]:
    """The shortest round that is repeated often enough from here on, and how often it is."""
    for length in range(1, LONGEST + 1):
        rounds = 1 + _repeated(timeline, start, length) // length
        if rounds >= LEAST:
            return length, rounds
    return 1, 1


def _repeated(timeline: Sequence[Step], start: int, length: int) -> int:
    """How many steps after the first round do what the step a round before did, by the same task."""
    count = 0
    while start + length + count < len(timeline):
        earlier, later = timeline[start + count], timeline[start + length + count]
        if later.switch or _deed(earlier) != _deed(later):
            break
        count += 1
    return count


def _deed(step: Step) -> tuple[object, ...]:
    """What a step does, whatever the values are."""
    return step.task, step.path, step.line, step.operation, step.target.partition("(")[0]
