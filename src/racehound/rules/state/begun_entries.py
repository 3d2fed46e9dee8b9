"""Entries of a shared table that a call begins anew and then fills, as if nobody else worked on the same one.

Two requests of one user both put an empty list under the name of the user; what each of them then adds goes into
the list of the second.
"""

from racehound.analysis.state.steps import Step
from racehound.rules.files.common_paths import DRAWN, is_drawn
from racehound.source.events import ITEM, Action, Shape, Touch
from racehound.source.facts import FunctionFacts

_LOOKS = frozenset({Action.READ, Action.CHECK})
_FILLED = frozenset({"list", "set", "dict"})


def begun_entry(function: FunctionFacts, steps: list[Step]) -> tuple[Step, Step] | None:
    """The write of an empty entry, and the first change of it that follows, both without a common lock."""
    for number, begun in enumerate(steps):
        if begun.use.touch.action in _LOOKS and begun.key is not None:
            return None  # it looks first: what is there already matters
        if not (begun.is_inside and is_empty_entry(begun.use.touch)) or _is_of_one_call(function, begun.key):
            continue
        for step in steps[number + 1 :]:
            if _fills(step, begun.key) and not step.locks & begun.locks:
                return begun, step
    return None


def is_empty_entry(touch: Touch) -> bool:
    """True for `SESSIONS[user] = []`."""
    if touch.action is not Action.WRITE_ITEM or not touch.values:
        return False
    return all(value.shape is Shape.CONTAINER and value.name in _FILLED for value in touch.values)


def _fills(step: Step, key: str | None) -> bool:
    touch = step.use.touch
    return touch.action is Action.MUTATE and touch.method == ITEM and step.key == key


def _is_of_one_call(function: FunctionFacts, key: str | None) -> bool:
    """True for a key that no other call may have: a number that was drawn, the thread, what nobody can tell."""
    name = (key or "").strip("[]")
    given = function.bindings.get(name, ())
    if name in function.bound and not given:
        return True
    return DRAWN.search(name) is not None or any(is_drawn(function, value) for value in given)
