"""Helpers that claim what a coroutine is about to do: `if not self._begin(key): return`, before it waits.

The helper looks whether somebody is at it, notes that now somebody is, and answers; nothing in it waits.
"""

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Call, Decision, Exit, Place, Touch
from racehound.source.facts import FunctionFacts

_LOOKING = frozenset({"get"})
_NOTING = frozenset({"add", "setdefault"})


def is_claimed_by_helper(program: Program, function: FunctionFacts, pause: int, act: Use) -> bool:
    """True if the answer of such a helper is asked before the await; an entry is claimed by its own key."""
    asked = {at for event in function.events if isinstance(event, Decision) for at in event.sources}
    for index, event in enumerate(function.events[:pause]):
        if isinstance(event, Call) and index in asked and event.callee is not None and event.callee.root == SELF:
            helper = program.calls.target(function, event)
            if helper is not None and not helper.is_async and _claims(helper, whole=act.touch.key is None):
                return True
    return False


def _claims(helper: FunctionFacts, *, whole: bool) -> bool:
    answers = {event.value.name for event in helper.events if isinstance(event, Exit) and event.kind == "return"}
    return {"True", "False"} <= answers and bool(_looked(helper) & _noted(helper, whole=whole))


def _looked(helper: FunctionFacts) -> set[Place]:
    return {
        event.place
        for event in helper.events
        if isinstance(event, Touch) and (event.action is Action.CHECK or event.method in _LOOKING)
    }


def _noted(helper: FunctionFacts, *, whole: bool) -> set[Place]:
    """What is stored; where the whole object is to be claimed, a note under some key is none."""
    return {
        event.place
        for event in helper.events
        if isinstance(event, Touch) and (event.action is Action.WRITE or (not whole and _is_entry(event)))
    }


def _is_entry(touch: Touch) -> bool:
    return touch.action is Action.WRITE_ITEM or touch.method in _NOTING
