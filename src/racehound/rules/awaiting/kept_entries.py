"""What is kept under a key, of which there is to be one: a connection, or an object that others change."""

import re

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.rules.state.kept_objects import keeps_object
from racehound.source.events import CHANGES, SELF, Action, Bind, Pause, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_OBJECTS = re.compile(r"(?i)(^|_)(connections?|conns?|clients?|pools?|channels?|locks?|sockets?|streams?)$")


def keeps_one(program: Program, act: Use) -> bool:
    return (
        keeps_object(act)
        or _is_awaited_entry(act)
        or any(_is_changed(program, item) for item in _made(program, act))
    )


def _is_awaited_entry(act: Use) -> bool:
    """True for `self._connections[host] = await dial(host)`: what is made is told by where it is kept."""
    name = (act.touch.place.attributes or (act.touch.place.root,))[-1]
    before = act.function.events[act.index - 1] if act.index else None
    kept = act.touch.action is Action.WRITE_ITEM and _OBJECTS.search(name) is not None
    return kept and isinstance(before, Pause) and before.value.shape is Shape.CALL


def _made(program: Program, act: Use) -> list[ClassFacts]:
    """The classes of the program that the function makes what it stores of."""
    values = [made for value in act.touch.values for made in _given_last(act, value)]
    found = (program.kinds.callee(act.function, value.place) for value in values if value.place is not None)
    return [item for item in found if isinstance(item, ClassFacts)]


def _given_last(act: Use, value: Value) -> list[Value]:
    place = value.place
    if value.shape is Shape.PLACE and place is not None and not place.attributes:
        before = act.function.events[: act.index]
        binds = [event for event in before if isinstance(event, Bind) and event.name == place.root]
        return [item for item in binds[-1].values if item.shape is Shape.CALL] if binds else []
    return [value] if value.shape is Shape.CALL else []


def _is_changed(program: Program, owner: ClassFacts) -> bool:
    """True for a class whose objects are changed once they are made: of two, one misses what the other is told."""
    own = [method for base in program.hierarchy.linear(owner) for method in base.methods.values()]
    if any(map(_changes_itself, own)):
        return True
    return any(
        event.action is Action.WRITE
        and event.place.root != SELF
        and event.place.attributes[:1] != ()
        and event.place.attributes[0] in owner.attributes
        for function in owner.module.functions
        for event in function.events
        if isinstance(event, Touch)
    )


def _changes_itself(method: FunctionFacts) -> bool:
    if method.name in {"__init__", "__post_init__"}:
        return False
    touches = (event for event in method.events if isinstance(event, Touch))
    return any(touch.action in CHANGES and touch.place.root == SELF for touch in touches)
