"""Loads a program twice, plain and instrumented, and runs it outside or inside an execution."""

import sys
import textwrap
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from racehound.engine.execution import Trace
from racehound.engine.explorer import Explorer
from racehound.engine.operation import Operation
from racehound.instrument.kinds import INSTRUMENTED, SORTS
from racehound.instrument.loader import hooks_installed
from racehound.instrument.rewrite import instrument
from racehound.primitives.mirrors import installed
from racehound.strategies.guided import Guided

NAME = "program_under_observation"
PATH = "program.py"


@contextmanager
def loaded(source: str, *, observed: bool, name: str = NAME, path: str = PATH) -> Iterator[types.ModuleType]:
    """The program as a module of that name, for as long as the context lasts."""
    text = textwrap.dedent(source)
    module = types.ModuleType(name)
    before = sys.modules.get(name)
    sys.modules[name] = module
    SORTS.forget()
    try:
        with hooks_installed():
            if observed:
                vars(module)[INSTRUMENTED] = path
            tree = instrument(text, path, name) if observed else text
            exec(compile(tree, path, "exec", dont_inherit=True), vars(module))  # noqa: S102 - the program of the test
            yield module
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        SORTS.forget()


def run_task(body: Callable[[], object]) -> Trace:
    """Run a function as the only task of an execution."""
    explorer = Explorer()
    try:
        with installed():
            return explorer.run(lambda: [body], Guided([]))
    finally:
        explorer.close()


def run_tasks(bodies: Sequence[Callable[[], object]]) -> Trace:
    """Run functions as tasks, one after the other as far as they let each other."""
    explorer = Explorer()
    try:
        with installed():
            return explorer.run(lambda: bodies, Guided([]))
    finally:
        explorer.close()


def operations(trace: Trace) -> list[Operation]:
    return [event.operation for event in trace.events[1:]]


@dataclass(frozen=True)
class Outcome:
    """What can be told from outside about a call."""

    result: str
    log: tuple[object, ...]
    lines: tuple[int, ...]
    """Lines of the program's own frames in the traceback."""


def outcome_of(main: Callable[[list[object]], object], *, path: str = PATH) -> Outcome:
    log: list[object] = []
    try:
        result = repr(main(log))
        error = None
    except Exception as raised:  # noqa: BLE001 - compared, whatever it is
        result, error = f"{type(raised).__name__}{raised.args!r}", raised
    frames = traceback.extract_tb(error.__traceback__) if error else []
    return Outcome(result, tuple(log), tuple(frame.lineno or 0 for frame in frames if frame.filename == path))


def plain(source: str) -> Outcome:
    with loaded(source, observed=False) as module:
        return outcome_of(module.main)


def observed_outside(source: str) -> Outcome:
    with loaded(source, observed=True) as module:
        return outcome_of(module.main)


def observed_inside(source: str) -> Outcome:
    found: list[Outcome] = []
    with loaded(source, observed=True) as module:
        trace = run_task(lambda: found.append(outcome_of(module.main)))
        assert trace.broken_by is None, trace.broken_by
        assert trace.tasks[0].error is None, trace.tasks[0].error
    return found[0]
