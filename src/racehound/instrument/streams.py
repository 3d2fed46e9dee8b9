"""Standard output, which every task writes to and anybody may exchange.

`print` asks the module `sys` where to write, and `redirect_stdout` sets that. What is written to a text in memory
is a change of that text.
"""

import contextlib
import io
import sys
from typing import Any

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import Effect, Kind, Operation
from racehound.instrument.fields import global_effect
from racehound.instrument.foreign import foreign_effects
from racehound.instrument.kinds import SORTS, Sort, is_a
from racehound.instrument.published import ReadingCall
from racehound.instrument.said import note_said

REDIRECTIONS = (contextlib.redirect_stdout, contextlib.redirect_stderr)


class PrintingCall(ReadingCall):
    """`print`."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        stream = kwargs.get("file")
        super().publish(execution, args, {name: item for name, item in kwargs.items() if name != "file"})
        effects: list[Effect] = []
        if stream is None:
            note_said(execution, args)
            stream = sys.stdout
            effects.append(global_effect(execution, "sys", "stdout"))
            if is_a(stream, io.StringIO):
                effects += foreign_effects(execution, stream, writes=True)
        elif SORTS.of(stream) is Sort.FOREIGN:
            effects += foreign_effects(execution, stream, writes=True)
        if effects:
            execution.step(Operation(Kind.CALL, tuple(effects), site=self.site, label="print"))


class Redirection:
    """A redirection that says when it exchanges a stream of `sys` and when it puts it back."""

    __slots__ = ("_redirection", "_site")

    def __init__(self, site: int, redirection: Any) -> None:
        self._site = site
        self._redirection = redirection

    def __enter__(self) -> object:
        self._publish()
        return self._redirection.__enter__()

    def __exit__(self, *error: object) -> object:
        self._publish()
        return self._redirection.__exit__(*error)

    def _publish(self) -> None:
        execution = CONTROL.here()
        if execution is not None and not execution.aborting:
            name: str = self._redirection._stream  # noqa: SLF001 - the only place where it says so
            effect = global_effect(execution, "sys", name, writes=True)
            execution.step(Operation(Kind.WRITE, (effect,), site=self._site, subject=sys, label=name))
