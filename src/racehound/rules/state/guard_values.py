"""Values that nothing can tear: whoever sees them without the lock sees the old one or the new one."""

from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import is_state
from racehound.analysis.state.fields import Use
from racehound.analysis.state.pairs import Pair
from racehound.rules.state.guard_doubts import is_lock_for_others
from racehound.source.events import Action, Decision, Shape
from racehound.source.facts import ClassFacts, ModuleFacts


def is_value(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair, uses: list[Use]) -> bool:
    """True for a number, a name or a state on which no section under the lock counts: nothing in it can be torn.

    The same holds for what locks itself: each of its steps is whole.
    """
    field = pair.first.touch.place.attributes[:1] or (pair.first.touch.place.root,)
    kinds = program.fields.kinds(owner, field[0])
    if kinds and all(isinstance(kind, ClassFacts) and program.locks.owned(kind) for kind in kinds - {"None"}):
        return not any(use.touch.action is Action.WRITE for use in uses if use.changes)
    if kinds & CONTAINERS or any(isinstance(kind, ClassFacts) for kind in kinds):
        return False
    if _is_counted_on(pair, uses):
        return False
    changes = [use for use in uses if use.changes]
    return bool(changes) and all(use.touch.action is Action.WRITE and not _makes_object(use) for use in changes)


def _is_counted_on(pair: Pair, uses: list[Use]) -> bool:
    """True if a section under the lock goes one way or the other by what it finds, or writes it back changed.

    So does the accused, if it writes back what it has read.
    """
    held = [use for use in uses if use.locks & pair.lock]
    if any(use.changes and own_read(use.function, use.index) is not None for use in (pair.first, *held)):
        return True
    deciding = {
        use.function: use.index
        for use in held
        for event in use.function.events
        if isinstance(event, Decision) and use.index in event.sources
    }
    return any(deciding.get(use.function, use.index) < use.index for use in held if use.changes)


def _makes_object(use: Use) -> bool:
    """True for `self._thread = Thread(...)` and `self._items = [...]`."""
    return any(
        value.shape is Shape.CONTAINER or (value.shape is Shape.CALL and value.name.lstrip("_")[:1].isupper())
        for value in use.touch.values
    )


def stores_a_value(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair, uses: list[Use]) -> bool:
    """True for `self.limit = limit` beside the lock, where no thread of the class is known to come.

    A number or a name that is stored whole is either the old or the new one for all others; an update that is lost
    is another rule's matter. What is emptied, made anew or set to a state is what others decide by.
    """
    touch = pair.first.touch
    if touch.action is not Action.WRITE or not touch.values or not isinstance(owner, ClassFacts):
        return False
    if not all(value.shape in {Shape.PLACE, Shape.OTHER} and not is_state(value) for value in touch.values):
        return False
    both = (pair.first.function, pair.second.function)
    counted = own_read(both[0], pair.first.index)
    if any(use.function is both[0] and use.index < pair.first.index and use.index != counted for use in uses):
        return False  # by what it saw
    if counted is not None and not is_lock_for_others(program, owner, uses):
        return False
    return not (program.shared.is_own_thread(owner, *both) or program.shared.is_resolved(*both))
