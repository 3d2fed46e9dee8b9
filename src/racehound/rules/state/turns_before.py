"""Steps that are reached one at a time, because all who come there have waited for their turn or turned back."""

from racehound.analysis.program import Program
from racehound.source.events import Action, Call, Place, Touch
from racehound.source.facts import FunctionFacts


def is_reached_in_turn(program: Program, function: FunctionFacts) -> bool:
    """True if all of the class who come there have taken a lock before, or noted that they are at it."""
    owner = function.owner
    calls = program.locksets.own_calls(owner).get(function.name, ()) if owner is not None else ()
    return bool(calls) and all(
        any(isinstance(event, Call) and event.method == "acquire" for event in caller.events[:index])
        or _notes_itself(caller, index)
        for caller, index in calls
    )


def _notes_itself(caller: FunctionFacts, index: int) -> bool:
    """True for `if key in self._busy: return`, `self._busy.add(key)`: a second one turns back there."""
    looked: set[Place] = set()
    for event in caller.events[:index]:
        if isinstance(event, Touch) and event.action is Action.CHECK:
            looked.add(event.place)
        elif isinstance(event, Touch) and event.place in looked and event.method == "add":
            return True
    return False
