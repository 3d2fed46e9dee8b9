"""Operations on items."""

from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import Effect, Kind, Operation
from racehound.instrument.calls import effects_outside
from racehound.instrument.containers import HALFWAY, fills_in, item_operation
from racehound.instrument.foreign import foreign_effects, unobserved
from racehound.instrument.keepers import is_keeper, publish_keeper
from racehound.instrument.kinds import SORTS, Sort
from racehound.instrument.looking import look
from racehound.instrument.parts import underlying
from racehound.instrument.voices import ITERATION, Voice, speaks, takes_steps, voice

PART: Final = "what is put in place of a part of a shared container is not observed"


def publish_item(site: int, subject: object, key: object, kind: Kind, taken: tuple[object, ...] = ()) -> None:
    """Publish the reading, setting or deleting of an item; `taken` are containers whose items are put in."""
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
        operation = item_operation(execution, site, subject, key, kind=kind)
        if takes_steps(type(subject), (_METHODS[kind],)):
            execution.opaque(execution.number(subject), unobserved(subject), changes=kind is not Kind.READ)
        operation.effects += _taken_in(execution, subject, taken)
        execution.step(operation)
    elif is_keeper(subject):
        publish_keeper(execution, site, subject, _METHODS[kind])
    elif sort is Sort.FOREIGN or (sort is Sort.INSTANCE and heard is Voice.UNSEEN):
        effects = foreign_effects(execution, subject, writes=True)
        outside = effects_outside(execution, type(subject).__qualname__, type(subject))
        effects += _taken_in(execution, subject, taken)
        execution.step(Operation(kind, (*effects, *outside), site, subject))


_METHODS: Final = {Kind.READ: "__getitem__", Kind.WRITE: "__setitem__", Kind.DELETE: "__delitem__"}


def publish_part(site: int, subject: object, key: object, new: object) -> None:
    """Publish that an item is set, or all of a part, which takes in what another container holds."""
    publish_item(site, subject, key, Kind.WRITE, (new,) if type(key) is slice else ())


def _taken_in(execution: Execution, subject: object, taken: tuple[object, ...]) -> tuple[Effect, ...]:
    if any(hasattr(type(item), "__next__") or speaks(type(item), ITERATION) for item in taken):
        execution.opaque(execution.number(subject), HALFWAY.format("assignment to a part"))
    return look(execution, taken, ITERATION, deep=False)


def _fill_in(execution: Execution, site: int, table: Any, key: object) -> None:
    """What a defaultdict does, others coming in while code of the program makes a value for a missing key."""
    execution.step(Operation(Kind.READ, (Effect(execution.number(table), key, writes=False),), site, table))
    if key not in table:
        made = CONTROL.published(table.default_factory)()
        execution.step(item_operation(execution, site, table, key, kind=Kind.WRITE))
        table[key] = made
