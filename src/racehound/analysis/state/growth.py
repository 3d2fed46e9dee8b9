"""Containers that change in place: `self._items += more` stores the list that is there anyway."""

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Owner
from racehound.source.events import Action, Touch

_GROWING = frozenset({"list", "bytearray", "List", "typing.List", "set", "Set", "typing.Set", "dict", "Dict"})


def grows_in_place(program: Program, owner: Owner, field: str, write: Use) -> bool:
    """True if nothing that others put in meanwhile is lost, unless they store another container."""
    kinds = program.fields.kinds(owner, field)
    if not kinds or not kinds <= _GROWING or write.touch.action is not Action.WRITE:
        return False
    read = (write.function.events[source] for source in write.touch.sources)
    return any(isinstance(event, Touch) and event.span == write.touch.span for event in read)


def replaces(rival: Use) -> bool:
    """True if another object is stored, into which nothing of the old one has gone."""
    return rival.touch.action is Action.WRITE and not rival.touch.sources
