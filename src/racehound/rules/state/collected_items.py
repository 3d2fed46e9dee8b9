"""The part of RH103 that speaks of what is changed in the thread of the loop itself, by what interrupts it."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.threads.interruptions import Interruption, interruptions, uses_of
from racehound.rules.state.interrupted import what_comes
from racehound.rules.state.resizing import LISTS, breaks
from racehound.source.events import Action

_WEAK = frozenset({"weakref.WeakSet", "weakref.WeakKeyDictionary", "weakref.WeakValueDictionary"})
"""These wait with what has gone until the loop is over."""
_RAISES = (
    "A thread is in the loop of `{first}` over `{target}`; %s, and `{second}`, which {does} it, is called on the "
    "spot; the loop asks for the next item and raises."
)
_SKIPS = (
    "A thread is in the loop of `{first}` over `{target}`; %s, and `{second}`, which takes an item out of it, is "
    "called on the spot; the items behind move up, and the loop passes over one of them."
)


class Collected(NamedTuple):
    found: Interruption
    loop: Use
    trigger: str


def collected(program: Program) -> Iterator[Collected]:
    """Loops, and what interrupts them to change what they go over."""
    for found in interruptions(program):
        kinds = program.fields.kinds(found.owner, found.field) if _is_used(program, found) else frozenset()
        if not kinds & CONTAINERS - _WEAK:
            continue
        is_list = not kinds & CONTAINERS - _WEAK - LISTS
        for loop in uses_of(program, found):
            if loop.touch.action is not Action.ITERATE or (is_list and found.change.touch.method != "remove"):
                continue
            if is_list or breaks(loop, found.change._replace(locks=0), kinds):
                trigger = _SKIPS if is_list else _RAISES
                yield Collected(found, loop, trigger % what_comes(found.context))


def _is_used(program: Program, found: Interruption) -> bool:
    """A name of the module's own functions; what only goes by the name of a class may be no state."""
    return any(use.touch.action is Action.ITERATE for use in uses_of(program, found))
