"""What a look promises to those who turn back at it: an answer of their own, or a value that is there."""

from racehound.analysis.program import Program
from racehound.analysis.state.gaps import Gap
from racehound.source.events import Action, Exit, Place, Shape, Touch


def answers_otherwise(gap: Gap) -> bool:
    """True for `owners[key] = me; return me` where nobody was, and `return owners[key]` where somebody was.

    Two that find nobody are both told that they were first, each with what it came with.
    """
    touch, function = gap.act.use.touch, gap.function
    given = {value.place for value in touch.values if value.shape is Shape.PLACE}
    own = {place for place in given if place is not None and _is_own(gap, place)}
    if touch.action is not Action.WRITE_ITEM or not touch.values or len(own) != len(touch.values):
        return False
    exits = [event for event in function.events if isinstance(event, Exit) and event.kind == "return"]
    looked = {
        index
        for index, event in enumerate(function.events)
        if isinstance(event, Touch) and event.place == touch.place and event.action is Action.READ
    }
    first = any(event.value.place in own and event.value.shape is Shape.PLACE for event in exits)
    return first and any(not looked.isdisjoint(event.sources) for event in exits)


def _is_own(gap: Gap, place: Place) -> bool:
    """True for an argument of the call that is no part of the key: each caller comes with another one."""
    in_key = place.root in (gap.act.use.touch.key or "")
    return not place.attributes and place.root in gap.function.parameters and not in_key


def is_promised_early(gap: Gap) -> bool:
    """True for `self.made = True; self.value = make()`: whoever comes now gives what is not there yet."""
    act, function = gap.act, gap.function
    if act.use.touch.action is not Action.WRITE or not act.is_inside:
        return False
    stored = {
        event.place
        for event in function.events[act.at + 1 :]
        if isinstance(event, Touch) and event.action is Action.WRITE and event.place != act.use.touch.place
        if event.values and all(value.shape is Shape.CALL for value in event.values)
    }
    returned = (event.value for event in function.events if isinstance(event, Exit) and event.kind == "return")
    return any(value.shape is Shape.PLACE and value.place in stored for value in returned)


def keeps_one_of_a_class(program: Program, gap: Gap) -> bool:
    """True for `made[cls] = cls()` in a function that decorates a class: there is to be one object of it."""
    touch, outer = gap.act.use.touch, gap.function.parent
    if touch.action is not Action.WRITE_ITEM or outer is None or outer.is_module_body:
        return False
    makers = {value.place.root for value in touch.values if value.shape is Shape.CALL and value.place is not None}
    if not makers or not makers <= set(outer.parameters):
        return False
    callee = program.kinds.callee
    return any(
        callee(item.module.functions[0], place) is outer
        for item in program.hierarchy.classes
        for place in item.decorators
    )
