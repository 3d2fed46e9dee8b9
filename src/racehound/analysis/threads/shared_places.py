"""Which objects a thread has in common with others, by the names it has for them."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from racehound.analysis.meaning.contents import copied
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.lasting import is_lasting
from racehound.analysis.meaning.tables import entries, table_of
from racehound.analysis.threads.activations import Activation, Context
from racehound.source.closures import scope_of
from racehound.source.events import LOOPED, SELF, Exit, Place, Shape, Value
from racehound.source.facts import FunctionFacts

StartedWithin: TypeAlias = Callable[[FunctionFacts], frozenset[Context]]
_WAY = 4
"""Names that are followed, one from the other."""


class View(NamedTuple):
    """What one activation of a function sees."""

    kinds: Kinds
    started_within: StartedWithin
    function: FunctionFacts
    activation: Activation

    def shares(self, place: Place, way: int = _WAY) -> bool:
        root, shared = place.root, self.activation.shared
        if root in shared or ".".join((root, *place.attributes[:1])) in shared:
            return True
        if root == SELF or root in self.function.parameters:
            return False
        if root not in self.function.bound:
            scope = scope_of(self.function, root)
            return scope is None or self.activation.context in self.started_within(scope)
        values = self.function.bindings.get(root) or self.kinds.contents.looped(self.function, root)
        return bool(values) and all(self._shares_value(value, root, way) for value in values)

    def _shares_value(self, value: Value, name: str, way: int) -> bool:
        table = value.arguments[0].place if value.name in LOOPED else table_of(value)
        if table is not None and self._holds_objects(table):
            return table.root != name and self._shares_items(table, way - 1)
        if value.shape is not Shape.PLACE or value.place is None or value.place.root == name:
            return self._is_entry(value) or is_lasting(self.kinds, self.function, value)
        nearer = value.place.root == SELF or value.place.root not in self.function.bound
        return nearer and self.shares(value.place, way)

    def _is_entry(self, value: Value) -> bool:
        """True for `self._account(name)`, which looks it up in a table of the object that threads share."""
        if SELF not in self.activation.shared or value.place is None or value.place.root != SELF:
            return False
        helper = self.kinds.callee(self.function, value.place) if len(value.place.attributes) == 1 else None
        return isinstance(helper, FunctionFacts) and _looks_up(helper)

    def _holds_objects(self, table: Place) -> bool:
        written = any(entries(self.kinds, self.function, table))
        return written or bool(self.kinds.contents.of(self.kinds, self.function, table))

    def _shares_items(self, table: Place, way: int) -> bool:
        """A copy is one's own; what is in it is not."""
        if not way:
            return False
        values = self.function.bindings.get(table.root, ()) if not table.attributes else ()
        copies = [copied(value) for value in values]
        if copies and all(place is not None for place in copies):
            return all(self._shares_items(place, way - 1) for place in copies if place is not None)
        return self.shares(table, way)


def _looks_up(helper: FunctionFacts) -> bool:
    """True if all that it gives are entries of tables that its object keeps."""
    given = [event.value for event in helper.events if isinstance(event, Exit) and event.kind == "return"]
    return bool(given) and helper.is_method and all(_is_looked_up(helper, value) for value in given)


def _is_looked_up(helper: FunctionFacts, value: Value) -> bool:
    table = table_of(value)
    if table is not None:
        return table.root == SELF and len(table.attributes) == 1
    place = value.place if value.shape is Shape.PLACE else None
    values = helper.bindings.get(place.root, ()) if place is not None and not place.attributes else ()
    return bool(values) and all(table_of(item) is not None and _is_looked_up(helper, item) for item in values)
