"""Generators that several tasks may have.

A generator runs from the moment somebody asks for its next item until it hands one over; who asks meanwhile gets a
ValueError. So both are published: the asking by whoever asks, the handing over from inside the generator, which is
why its `yield` and `return` are rewritten. What it does in between it publishes like any other code.

A generator that leaves by another way, such as an exception or `yield from`, does not say when it stops running;
the verdict is weakened if such a one is shared.
"""

import sys
import types
from collections.abc import Callable
from typing import Any

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.foreign import unobserved
from racehound.instrument.kinds import is_instrumented_code
from racehound.instrument.published import PublishedCall


def speaks_for_itself(iterator: object) -> bool:
    """Whether it is a generator whose code says when it hands over."""
    if type(iterator) is not types.GeneratorType:
        return False
    frame = iterator.gi_frame
    return frame is None or is_instrumented_code(frame.f_code, frame.f_globals)  # one that has ended stays silent


def ask(execution: Execution, site: int, generator: Any, *default: object) -> object:
    """The next item of such a generator."""
    return _go_on(execution, site, generator, lambda: next(generator, *default))


class GeneratorCall(PublishedCall):
    """`send`, `throw` or `close` of such a generator: it goes on, as when it is asked."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        if execution is None:
            return self.function(*args, **kwargs)
        generator: object = self.function.__self__  # type: ignore[attr-defined]  # it is bound
        return _go_on(execution, self.site, generator, lambda: self.function(*args, **kwargs))


def _go_on(execution: Execution, site: int, generator: Any, resume: Callable[[], object]) -> object:
    frame = generator.gi_frame
    effects = (Effect(execution.number(generator), WHOLE, writes=True),)
    execution.step(Operation(Kind.ITERATE, effects, site=site, subject=generator))
    begins = frame is not None and not generator.gi_running
    if begins:
        execution.asked[frame] = effects
    try:
        return resume()
    finally:
        if begins and execution.asked.pop(frame, None) is not None:
            execution.opaque(effects[0].subject, unobserved(generator))


def hand_over(site: int, item: object) -> object:
    """What a generator yields or returns; it stops running just after."""
    execution = CONTROL.here()
    if execution is not None and execution.asked:
        effects = execution.asked.pop(sys._getframe(1), None)  # noqa: SLF001 - the generator that asks
        if effects is not None:
            execution.step(Operation(Kind.ITERATE, effects, site=site))
    return item
