"""Stand-ins for functions that do not publish by themselves."""

from collections.abc import Iterable

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect
from racehound.instrument.attributes import number_of_fields
from racehound.instrument.kinds import SORTS, Sort
from racehound.instrument.known import Function, Reading
from racehound.instrument.looking import publish_look


class PublishedCall:
    """A function that publishes what it is about to do, then does it."""

    __slots__ = ("function", "site")

    def __init__(self, site: int, function: Function) -> None:
        self.site = site
        self.function = function

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        if execution is not None:
            self.publish(execution, args, kwargs)
        return self.function(*args, **kwargs)

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        """Say what a call with these arguments is going to do."""


class ReadingCall(PublishedCall):
    """A function that only looks at its arguments, at once."""

    __slots__ = ("reading",)

    def __init__(self, site: int, function: Function, reading: Reading) -> None:
        super().__init__(site, function)
        self.reading = reading

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        methods, deep = self.reading
        publish_look(execution, self.site, (*args, *kwargs.values()), methods, deep=deep)


def uses_unseen(
    execution: Execution, name: str, subjects: Iterable[object], reason: str, *, writes: bool
) -> list[Effect]:
    """The effects of code of that name, which does something to the objects; nobody sees what, for that reason."""
    effects: dict[Effect, None] = {}
    for subject in subjects:
        fields = SORTS.of(subject) is Sort.INSTANCE
        number = number_of_fields(execution, subject) if fields else execution.number(subject)
        execution.opaque(number, f"`{name}` uses a shared {type(subject).__qualname__}{reason}")
        effects[Effect(number, WHOLE, writes)] = None
    return list(effects)
