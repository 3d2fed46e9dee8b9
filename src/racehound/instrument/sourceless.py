"""Functions whose source cannot be had: made by `exec`, or loaded from byte code alone.

They cannot be rewritten, so the interpreter is asked to stop before each of their instructions. Which object an
instruction is about cannot be told from outside: each one that could touch something shared counts as a use of
everything that the function can reach. So other tasks come in between and races are found, but safety is never
claimed.

A variable that other functions share is put back by the interpreter to what it was before the stop, whoever has
changed it meanwhile (until 3.12). So functions with such variables are not stopped; their call is one operation.
"""

import dis
import sys
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import Kind, Operation
from racehound.instrument.foreign import uses_unseen
from racehound.instrument.known import is_standard
from racehound.instrument.parts import reachable
from racehound.instrument.published import PublishedCall
from racehound.instrument.sites import SITES, Site

_TOUCHING: Final = (
    *("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"),
    *("BINARY_SUBSCR", "BINARY_SLICE", "STORE_SUBSCR", "STORE_SLICE", "DELETE_SUBSCR", "CONTAINS_OP"),
    *("CALL", "GET_ITER", "FOR_ITER", "UNPACK_SEQUENCE", "BEFORE_WITH"),
)
_NOT_STOPPED: Final = 0x20 | 0x80 | 0x100 | 0x200
"""Flags of generators and coroutines, whose bodies run later than their call."""


def can_be_stopped(function: FunctionType) -> bool:
    """Whether there is no source, and nothing speaks against stopping before each instruction."""
    code = function.__code__
    shares = code.co_freevars or code.co_cellvars or code.co_flags & _NOT_STOPPED
    return not shares and not is_standard(function.__module__) and _is_sourceless(code.co_filename)


@cache
def _is_sourceless(path: str) -> bool:
    return not path.startswith("<frozen") and not Path(path).is_file()


@cache
def places(code: CodeType) -> dict[int, int]:
    """The site of each instruction that could touch something shared, by its offset."""
    found = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith(_TOUCHING) or instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            line = (instruction.positions and instruction.positions.lineno) or code.co_firstlineno
            text = str(instruction.argval) if isinstance(instruction.argval, str) else code.co_name
            found[instruction.offset] = SITES.add(Site(code.co_filename, line, instruction.offset, text))
    return found


class StoppedCall(PublishedCall):
    """Runs the function with a stop before each instruction that could touch something shared."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        if execution is None:
            return self.function(*args, **kwargs)
        # First, because 3.13 may begin to stop only in the next call of the same code.
        held = (*args, *kwargs.values(), self.function.__globals__)
        publish_use(execution, self.site, self.function.__code__, held)
        before = sys.gettrace()
        sys.settrace(enter)
        try:
            return self.function(*args, **kwargs)
        finally:
            sys.settrace(before)


def enter(frame: FrameType, event: str, argument: object) -> Any:  # pragma: needs tracing of tracers
    """What the interpreter calls for each new frame: answers what it is to call for each instruction.

    Code that our own work runs has no source, either, such as the methods of named tuples.
    """
    del event, argument
    code, caller = frame.f_code, frame.f_back
    ours = caller is None or (caller.f_trace is not stop and caller.f_code is not StoppedCall.__call__.__code__)
    if ours or not _is_sourceless(code.co_filename) or code.co_freevars or code.co_cellvars:
        return None
    frame.f_trace_opcodes, frame.f_trace_lines = True, False
    return stop


def stop(frame: FrameType, event: str, argument: object) -> Any:  # pragma: needs tracing of tracers
    """What the interpreter calls before each instruction."""
    del argument
    execution = CONTROL.here()
    site = places(frame.f_code).get(frame.f_lasti)
    if event == "opcode" and site is not None and execution is not None:
        publish_instruction(execution, site, frame)
    return stop


def publish_instruction(execution: Execution, site: int, frame: FrameType) -> None:
    """Publish the use of all that the function can reach at this moment."""
    publish_use(execution, site, frame.f_code, (*frame.f_locals.values(), frame.f_globals))


def publish_use(execution: Execution, site: int, code: CodeType, held: tuple[object, ...]) -> None:
    name = code.co_qualname
    found, complete = reachable(held)
    if not complete:
        execution.caveat(f"`{name}` can reach too much to be looked into, and there is no source of it")
    effects = uses_unseen(execution, name, found, ", and there is no source of it", writes=True)
    if effects:
        execution.step(Operation(Kind.CALL, tuple(effects), site=site, label=SITES[site].text))
