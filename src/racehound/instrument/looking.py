"""What is read when the interpreter, or a built-in function, looks at values as a whole.

`a == b` on two lists compares everything in them; `f"{x}"` writes out whatever `x` holds. All of it is one
operation, as long as no code of the program runs halfway through. Where such code does run, other tasks
can come in between, and what the rest of the operation reads was not published: the verdict is weakened if
one of the objects is shared.

What is read depends on the state at the time of reading, not of publishing: a list that another task has
hung into the structure meanwhile is read, too. So the effects are worked out again before each choice.
"""

import enum
import types
from collections.abc import Iterable, Sequence

from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.attributes import number_of_fields
from racehound.instrument.foreign import foreign_effects, unobserved
from racehound.instrument.kinds import SORTS, Sort, is_a
from racehound.instrument.parts import elements, fields, underlying
from racehound.instrument.voices import Voice, speaks, takes_steps, voice

_CODELESS = (Sort.PLAIN, Sort.MODULE, Sort.CLASS, Sort.LOCK, Sort.MIRROR, Sort.FUNCTION)


class Look:
    """One look at some values; `methods` are the special methods it may call on what it meets."""

    def __init__(self, execution: Execution, methods: Sequence[str], *, deep: bool) -> None:
        self._execution = execution
        self._methods = methods
        self._deep = deep
        self._seen: dict[int, object] = {}
        self._interrupted = False
        self.effects: dict[Effect, None] = {}

    def at(self, subjects: Iterable[object]) -> tuple[Effect, ...]:
        for subject in subjects:
            self._visit(subject, outermost=True)
        if self._interrupted:
            for effect in self.effects:
                said = "the code of an element runs halfway through an operation"
                self._execution.opaque(effect.subject, said, changes=effect.writes)
        return tuple(self.effects)

    def _visit(self, subject: object, *, outermost: bool = False) -> None:
        sort = SORTS.of(subject)
        if sort in _CODELESS or id(subject) in self._seen:
            return
        self._seen[id(subject)] = subject
        if sort is Sort.INSTANCE:
            self._instance(subject, outermost=outermost)
        elif sort is Sort.VIEW:
            self._visit(underlying(subject), outermost=outermost)
        elif sort is Sort.FOREIGN:
            self._foreign(subject)
        elif sort is Sort.TUPLE:
            self._each(elements(subject))
        elif outermost and speaks(type(subject), self._methods):
            return  # a class of the program derived from a container: its own method does the looking
        else:
            self._read(subject)
            if takes_steps(type(subject), self._methods):
                self._execution.opaque(self._execution.number(subject), unobserved(subject), changes=False)
            self._interrupted |= not outermost and speaks(type(subject), self._methods)
            self._each(elements(subject))

    def _each(self, items: Iterable[object]) -> None:
        if self._deep:
            for item in items:
                self._visit(item)

    def _read(self, subject: object) -> None:
        self.effects[Effect(self._execution.number(subject), WHOLE, writes=False)] = None

    def _instance(self, subject: object, *, outermost: bool) -> None:
        if is_a(subject, enum.Enum):
            return  # compared and shown by what it was defined as, whatever attributes it was given since
        heard = voice(type(subject), self._methods)
        self._interrupted |= not outermost and speaks(type(subject), self._methods)
        if heard in (Voice.GENERATED, Voice.UNSEEN):
            number = number_of_fields(self._execution, subject)
            self.effects[Effect(number, WHOLE, writes=False)] = None
            for item in fields(subject):
                self._visit(item)
        if heard is Voice.UNSEEN:
            self._execution.opaque(number_of_fields(self._execution, subject), unobserved(subject))

    def _foreign(self, subject: object) -> None:
        changes = hasattr(type(subject), "__next__")  # to look at an iterator is to use it up
        if is_a(subject, types.GeneratorType):  # whose body publishes what it does to others
            number = self._execution.number(subject)
            self._execution.opaque(number, unobserved(subject))
            self.effects[Effect(number, WHOLE, writes=True)] = None
        elif changes or voice(type(subject), self._methods) is not Voice.NOTHING:
            self.effects |= dict.fromkeys(foreign_effects(self._execution, subject, writes=changes))


def look(
    execution: Execution, subjects: Sequence[object], methods: Sequence[str], *, deep: bool
) -> tuple[Effect, ...]:
    """The effects of looking at the values now."""
    return Look(execution, methods, deep=deep).at(subjects)


def publish_look(
    execution: Execution, site: int, subjects: Sequence[object], methods: Sequence[str], *, deep: bool = True
) -> None:
    """Publish that the values are about to be looked at, if there is anything in them that could change."""
    effects = look(execution, subjects, methods, deep=deep)
    if effects:
        refresh = (lambda: look(execution, subjects, methods, deep=True)) if deep else None
        execution.step(Operation(Kind.READ, effects, site=site, subject=subjects[0], refresh=refresh))
