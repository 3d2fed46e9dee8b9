"""Stand-ins for functions that do not publish by themselves."""

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
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
