"""Fields behind properties that can be set: `self.balance += amount` reads and writes `self._balance`."""

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.events import SELF, Action, Exit, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_SETTER = ".setter"


def behind_properties(hierarchy: Hierarchy, owner: ClassFacts) -> dict[Place, Place]:
    """By property, the field that it gives as it is, and that its setter stores."""
    found: dict[Place, Place] = {}
    for base in hierarchy.linear(owner):
        for name, setter in base.methods.items():
            getter = base.methods.get(name.removesuffix(_SETTER)) if name.endswith(_SETTER) else None
            field = _given(getter) if getter is not None else None
            if field is not None and _stores(setter, field):
                found.setdefault(Place(SELF, (name.removesuffix(_SETTER),)), Place(SELF, (field,)))
    return found


def _given(getter: FunctionFacts) -> str | None:
    exits = [event.value for event in getter.events if isinstance(event, Exit)]
    place = exits[0].place if len(exits) == 1 and exits[0].shape is Shape.PLACE else None
    return place.attributes[0] if place is not None and place.root == SELF and len(place.attributes) == 1 else None


def _stores(setter: FunctionFacts, field: str) -> bool:
    return any(
        isinstance(event, Touch) and event.action is Action.WRITE and event.place.attributes == (field,)
        for event in setter.events
    )
