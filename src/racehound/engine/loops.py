"""Whether a call stands in a loop, as its bytecode shows."""

import dis
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import CodeType, FrameType
from typing import NamedTuple

_LIBRARY = ("threading", "queue")
_TAKING = ("FOR_ITER", "GET_ANEXT")
_OURSELVES = __name__.partition(".")[0]


def is_in_loop(frame: FrameType | None) -> bool:
    """Whether the program comes round to this place again, by a loop of the function that waits or of a caller."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        if name not in _LIBRARY and not name.startswith(_OURSELVES) and frame.f_lineno in _lines(frame.f_code):
            return True
        frame = frame.f_back
    return False


def is_stepping(frame: FrameType | None) -> bool:
    """Whether the program is in the middle of a `for` loop, of whose iterator no variable tells how far it is."""
    while frame is not None:
        is_ours = str(frame.f_globals.get("__name__")).startswith(_OURSELVES)
        if not is_ours and any(begin < frame.f_lasti < end for begin, end in _steppings(frame.f_code)):
            return True
        frame = frame.f_back
    return False


def takes_items(frames: Iterable[FrameType]) -> bool:
    """Whether the innermost loop goes over items, of which no variable tells how many are left.

    `frames` are those of coroutines that await each other, the one that waits last first. Of our own loops those
    count that make one call of the program after the other.
    """
    for frame in frames:
        around = [loop for loop in _loops(frame.f_code) if loop.begin <= frame.f_lasti <= loop.end]
        is_ours = str(frame.f_globals.get("__name__")).startswith(_OURSELVES)
        if around:
            innermost = min(around, key=lambda loop: loop.end - loop.begin)
            if innermost.takes_items or not is_ours:
                return innermost.takes_items
    return False


class _Loop(NamedTuple):
    begin: int
    end: int
    takes_items: bool


@lru_cache(maxsize=1024)
def _loops(code: CodeType) -> tuple[_Loop, ...]:
    steps = {step.offset: step for step in dis.get_instructions(code)}
    ends: dict[int, int] = {}
    for offset, step in steps.items():
        if "JUMP_BACKWARD" in step.opname and "NO_INTERRUPT" not in step.opname:
            begin = int(step.argval)
            ends[begin] = max(ends.get(begin, 0), offset)
    firsts = {begin: _past_prefixes(steps, begin) for begin in ends}
    return tuple(
        _Loop(begin, end, firsts[begin] in _TAKING)
        for begin, end in ends.items()
        if firsts[begin] != "END_SEND"  # where an await goes on that was thrown into
    )


def _past_prefixes(steps: Mapping[int, dis.Instruction], offset: int) -> str:
    """What is done first; the prefixes of a long jump stand before it."""
    while steps[offset].opname == "EXTENDED_ARG":
        offset += 2
    return steps[offset].opname


@lru_cache(maxsize=1024)
def _steppings(code: CodeType) -> tuple[tuple[int, int], ...]:
    """Where each `for` loop begins, and where it leads when its iterator has ended."""
    steps = (step for step in dis.get_instructions(code) if step.opname.startswith("FOR_ITER"))
    return tuple((step.offset, int(step.argval)) for step in steps)


@lru_cache(maxsize=1024)
def _lines(code: CodeType) -> frozenset[int]:
    """The lines of all loops; the condition of a loop may have a copy in front of it, which has the same line."""
    lines: set[int] = set()
    placed = [(start, end, line) for start, end, line in code.co_lines() if line is not None]
    for jump in dis.get_instructions(code):
        if "JUMP_BACKWARD" in jump.opname and "NO_INTERRUPT" not in jump.opname:
            lines.update(line for start, end, line in placed if start <= jump.offset and end > jump.argval)
    return frozenset(lines)
