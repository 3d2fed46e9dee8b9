"""Uses of objects that cannot be looked into.

What such an object does, it may do to whatever it refers to: a memoryview writes to the bytes behind it, a
ChainMap reads the dictionaries it was given. So all of that is used as well, and if any of it is shared the
verdict is weakened.
"""

from collections.abc import Iterable

from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, ObjectId
from racehound.instrument.attributes import number_of_fields
from racehound.instrument.kinds import SORTS, Sort, is_a
from racehound.instrument.parts import reachable
from racehound.instrument.weak import WEAK, weak_effects

UNSEEN = " and cannot be looked into"


def unobserved(subject: object) -> str:
    return f"a {type(subject).__qualname__} is shared, and its inner state is not observed"


def foreign_effects(execution: Execution, subject: object, *, writes: bool) -> tuple[Effect, ...]:
    """The effects of a use of an object that nobody sees, the object itself first."""
    numbers = [execution.number(subject)]
    if number_of_fields(execution, subject) != numbers[0]:
        numbers.append(number_of_fields(execution, subject))
    found, complete = reachable((subject,))
    if not complete:
        execution.caveat(f"a {type(subject).__qualname__} refers to too much to be looked into")
    numbers += [number_used(execution, item) for item in found if item is not subject]
    for number in numbers:
        execution.opaque(number, unobserved(subject))
    effects = dict.fromkeys(Effect(number, WHOLE, writes) for number in numbers)
    if is_a(subject, WEAK):
        effects |= dict.fromkeys(weak_effects(execution, subject, execution.running))
    return tuple(effects)


def uses_unseen(
    execution: Execution, name: str, subjects: Iterable[object], reason: str, *, writes: bool
) -> list[Effect]:
    """The effects of code of that name, which does something to the objects; nobody sees what, for that reason."""
    effects: dict[Effect, None] = {}
    for subject in subjects:
        number = number_used(execution, subject)
        said = f"`{name}` uses a shared {type(subject).__qualname__}{reason}"
        execution.opaque(number, said, changes=writes)
        effects[Effect(number, WHOLE, writes)] = None
    return list(effects)


def number_used(execution: Execution, subject: object) -> ObjectId:
    """The number under which the state of an object is known."""
    fields = SORTS.of(subject) is Sort.INSTANCE
    return number_of_fields(execution, subject) if fields else execution.number(subject)
