"""Hearing of single instructions just before they run, on whichever thread.

Python 3.11 has trace functions for it, one for each thread. From 3.12 on these are served by monitoring, which is
asked directly: code is then prepared once, before the threads begin, and never changed under their feet.
"""

import dis
import sys
import types
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Any, Protocol

from racehound.engine.tracked import tracked
from racehound.scenario.turns import VISIBLE, Place

Hear = Callable[[Place, str], None]
"""Told the place and the name of an instruction, on the thread that is about to run it."""


class Listener(Protocol):
    def begin(self) -> None:
        """Called by each thread before it runs the program."""

    def end(self) -> None:
        """Called by each thread when it is done."""


@cache
def _visible_of(code: types.CodeType) -> dict[int, tuple[int, str]]:
    """Line and name of the visible instructions by offset, as the compiler wrote them."""
    return {
        item.offset: (item.positions.lineno, item.opname)
        for item in dis.get_instructions(code)
        if item.opname in VISIBLE and item.positions is not None and item.positions.lineno is not None
    }


class TracedInstructions:
    """By the trace function of each thread."""

    def __init__(self, places: Collection[Place], hear: Hear) -> None:
        self._places = places
        self._files = {path for path, _ in places}
        self._hear = hear

    def begin(self) -> None:
        sys.settrace(self._enter)

    def end(self) -> None:
        sys.settrace(None)

    def _enter(self, frame: types.FrameType, event: str, arg: Any) -> Any:  # pragma: needs tracing of tracers
        del event, arg
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, frame: types.FrameType, event: str, arg: Any) -> Any:  # pragma: needs tracing of tracers
        del arg
        if event == "opcode":
            line, name = _visible_of(frame.f_code).get(frame.f_lasti, (0, ""))
            place = frame.f_code.co_filename, line
            if place in self._places:
                self._hear(place, name)
        return self._step


if sys.version_info >= (3, 12):  # pragma: needs Python 3.12

    class MonitoredInstructions:
        """By monitoring, for all threads at once."""

        def __init__(self, places: Collection[Place], hear: Hear) -> None:
            self._places = places
            self._hear = hear
            tool = next(number for number in range(6) if sys.monitoring.get_tool(number) is None)
            events = sys.monitoring.events.INSTRUCTION
            sys.monitoring.use_tool_id(tool, "racehound")
            sys.monitoring.register_callback(tool, events, self._instruction)
            for code in _code_of({path for path, _ in places}):
                sys.monitoring.set_local_events(tool, code, events)

        def begin(self) -> None:
            """Nothing to do: the code itself tells."""

        def end(self) -> None:
            """Nothing to do."""

        def _instruction(self, code: types.CodeType, offset: int) -> None:
            line, name = _visible_of(code).get(offset, (0, ""))
            place = code.co_filename, line
            if place in self._places:
                self._hear(place, name)


def listen(places: Collection[Place], hear: Hear) -> Listener:
    """Hear of the visible instructions at these places, in a process that has no other use for it."""
    if sys.version_info >= (3, 12):  # pragma: needs Python 3.12
        return MonitoredInstructions(places, hear)
    return TracedInstructions(places, hear)


def _code_of(files: Collection[str]) -> Iterator[types.CodeType]:
    """The code of every function that was loaded from these files, and of what is defined inside them."""
    functions = (item for item in tracked() if type(item) is types.FunctionType)
    stack = [function.__code__ for function in functions if function.__code__.co_filename in files]
    while stack:
        code = stack.pop()
        yield code
        stack.extend(item for item in code.co_consts if isinstance(item, types.CodeType))
