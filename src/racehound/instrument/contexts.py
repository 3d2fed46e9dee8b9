"""Context variables, which every thread has for itself and so has every task of an event loop.

The tasks of one loop are taken for one that has them: they may have been given a common context. A context that
two threads have in common is entered by one at a time, and the order in which they do so is a choice.
"""

from contextvars import Context, ContextVar
from typing import TYPE_CHECKING

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.known import Function
from racehound.instrument.published import PublishedCall

if TYPE_CHECKING:
    from racehound.engine.execution import Execution


class VariableCall(PublishedCall):
    """`get`, `set` or `reset` of a context variable."""

    __slots__ = ()

    def publish(self, execution: "Execution", args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del args, kwargs
        variable: object = self.function.__self__  # type: ignore[attr-defined]  # it is bound
        reads = self.function.__name__ == "get"
        effects = [Effect(execution.number(variable), execution.thread, not reads)]
        if not reads:
            effects.append(_all_variables(execution, writes=True))
        execution.step(Operation(Kind.READ if reads else Kind.WRITE, tuple(effects), site=self.site))


class CopyCall(PublishedCall):
    """`copy_context`, which reads all variables."""

    __slots__ = ()

    def publish(self, execution: "Execution", args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del args, kwargs
        execution.step(Operation(Kind.READ, (_all_variables(execution, writes=False),), site=self.site))


class RunCall(PublishedCall):
    """`run` of a context: what it calls is code of the program."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        if execution is None or not args:
            return self.function(*args, **kwargs)
        self._enter_or_leave(execution)
        return self.function(self._inside, execution, CONTROL.published(args[0]), *args[1:], **kwargs)

    def _inside(self, execution: "Execution", function: Function, *args: object, **kwargs: object) -> object:
        """It is left here, where another one who enters it is refused, as by the interpreter."""
        try:
            return function(*args, **kwargs)
        finally:
            self._enter_or_leave(execution)

    def _enter_or_leave(self, execution: "Execution") -> None:
        context: object = self.function.__self__  # type: ignore[attr-defined]  # it is bound
        effect = Effect(execution.number(context), WHOLE, writes=True)
        execution.step(Operation(Kind.CALL, (effect,), site=self.site))


def _all_variables(execution: "Execution", *, writes: bool) -> Effect:
    return Effect(execution.number_of(("context", str(execution.thread))), WHOLE, writes)


def plan_of_context(site: int, function: Function, owner: object) -> PublishedCall | None:
    """What stands for a method of a context variable, or for `run` of a context; None for others."""
    if isinstance(owner, ContextVar):
        return VariableCall(site, function)
    return RunCall(site, function) if isinstance(owner, Context) and function.__name__ == "run" else None
