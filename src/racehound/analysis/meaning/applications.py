"""What a web application keeps for all requests: `app.state.hub = Hub()`, asked for as `request.app.state.hub`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from racehound.source.events import ITEM, Action, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts, ModuleFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kind, Kinds

APPLICATIONS = frozenset({"app", "application"})
_STATE = "state"
_Kept: TypeAlias = dict[str, list[tuple[FunctionFacts, Value]]]


def is_kept_by_application(value: Value) -> bool:
    """True for `request.app["wallet"]` and `request.app.state.wallet`: all requests are given the same one."""
    if value.name == ITEM and value.arguments:
        kept = value.arguments[0].place
        return kept is not None and (kept.attributes or (kept.root,))[-1] in APPLICATIONS
    return value.shape is Shape.PLACE and value.place is not None and is_below_application(value.place)


def is_below_application(place: Place) -> bool:
    return _STATE in place.attributes[:-1] and not APPLICATIONS.isdisjoint((place.root, *place.attributes))


class Applications:
    """What is stored in the state of applications, by name, in whatever module that is."""

    def __init__(self, modules: Iterable[ModuleFacts]) -> None:
        self._modules = tuple(modules)
        self._kept: _Kept | None = None

    def looked_up(self, kinds: "Kinds", place: Place) -> "tuple[frozenset[Kind], tuple[str, ...]] | None":
        """What is kept at a place, and the attributes that are asked of it."""
        if not is_below_application(place):
            return None
        if self._kept is None:
            self._kept = _collect(self._modules)
        at = place.attributes.index(_STATE) + 1
        values = [kinds.value(*item) for item in self._kept.get(place.attributes[at], ())]
        found: frozenset[Kind] = frozenset().union(*values)
        return (found, place.attributes[at + 1 :]) if found else None


def _collect(modules: Iterable[ModuleFacts]) -> _Kept:
    found: _Kept = {}
    for module in modules:
        for function in module.functions:
            for event in function.events if Action.WRITE in function.holds else ():
                if isinstance(event, Touch) and event.action is Action.WRITE and _is_store(event.place):
                    values = [(function, value) for value in event.values]
                    found.setdefault(event.place.attributes[-1], []).extend(values)
    return found


def _is_store(place: Place) -> bool:
    return place.attributes[-2:-1] == (_STATE,) and is_below_application(place)
