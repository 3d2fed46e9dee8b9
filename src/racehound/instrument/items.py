"""Operations on items."""

from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import Effect, Kind, Operation
from racehound.instrument.calls import effects_outside
from racehound.instrument.containers import fills_in, item_operation
from racehound.instrument.foreign import foreign_effects
from racehound.instrument.keepers import is_keeper, publish_keeper
from racehound.instrument.kinds import SORTS, Sort
from racehound.instrument.parts import underlying
from racehound.instrument.voices import Voice, voice


def publish_item(site: int, subject: object, key: object, kind: Kind) -> None:
    """Publish the reading, setting or deleting of an item."""
    execution = CONTROL.here()
    if execution is None:
        return
    sort = SORTS.of(subject)
    if sort is Sort.VIEW:
        subject = underlying(subject)
        sort = SORTS.of(subject)
    heard = voice(type(subject), (_METHODS[kind],))
    if kind is Kind.READ and fills_in(subject, key):
        _fill_in(execution, site, subject, key)
    elif sort is Sort.CONTAINER and heard is not Voice.OWN:
        execution.step(item_operation(execution, site, subject, key, kind=kind))
    elif is_keeper(subject):
        publish_keeper(execution, site, subject, _METHODS[kind])
    elif sort is Sort.FOREIGN or (sort is Sort.INSTANCE and heard is Voice.UNSEEN):
        effects = foreign_effects(execution, subject, writes=True)
        outside = effects_outside(execution, type(subject).__qualname__, type(subject))
        execution.step(Operation(kind, (*effects, *outside), site, subject))


_METHODS: Final = {Kind.READ: "__getitem__", Kind.WRITE: "__setitem__", Kind.DELETE: "__delitem__"}


def _fill_in(execution: Execution, site: int, table: Any, key: object) -> None:
    """What a defaultdict does, others coming in while code of the program makes a value for a missing key."""
    execution.step(Operation(Kind.READ, (Effect(execution.number(table), key, writes=False),), site, table))
    if key not in table:
        made = CONTROL.published(table.default_factory)()
        execution.step(item_operation(execution, site, table, key, kind=Kind.WRITE))
        table[key] = made
