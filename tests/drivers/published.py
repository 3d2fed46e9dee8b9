"""What a piece of code publishes, in words: `read R s.items` is a read of the attribute `items` of `s`."""

import types
from dataclasses import dataclass

from drivers.observed import loaded, operations
from racehound.engine.carrier import CarrierPool
from racehound.engine.execution import Execution, Trace
from racehound.engine.operation import Effect, Operation
from racehound.instrument.attributes import number_of_class, number_of_fields
from racehound.instrument.kinds import SORTS, Sort
from racehound.primitives.mirrors import installed
from racehound.strategies.guided import Guided

HEAD = """
import bisect, collections, copy, dataclasses, functools, heapq, itertools
import json, logging, operator, queue, threading, types

class S:
    shared = 0
    def __init__(self, **fields):
        self.__dict__.update(fields)
"""


@dataclass(frozen=True)
class Published:
    steps: list[str]
    caveats: set[str]
    result: object


def publish(setup: str, body: str, *, tasks: int = 1) -> Published:
    """Run `body` with the fields of `S({setup})` at hand as `s`, once per task."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    prelude, _, fields = setup.rpartition("\n---\n")
    source = f"{HEAD}\n{prelude}\ndef make():\n    return S({fields})\ndef work(s):\n{lines}\n"
    pool = CarrierPool()
    try:
        with installed(), loaded(source, observed=True) as module:
            subject = module.make()
            execution = Execution(pool, Guided([]))
            trace = execution.run([lambda: module.work(subject)] * tasks)
            return Published(_words(execution, trace, module, subject), trace.caveats, _result(trace))
    finally:
        pool.close()


def _result(trace: Trace) -> object:
    assert trace.broken_by is None, trace.broken_by
    errors = [task.error for task in trace.tasks if task.error is not None]
    return errors[0] if errors else trace.tasks[0].result


def _words(execution: Execution, trace: Trace, module: types.ModuleType, subject: object) -> list[str]:
    names: dict[int, str] = {number_of_fields(execution, subject): "s"}
    for name, value in {**vars(module), **vars(subject)}.items():
        names.setdefault(execution.number(value), name)
        if SORTS.of(value) is Sort.CLASS:
            names.setdefault(number_of_class(execution, value), name)
        if SORTS.of(value) in {Sort.INSTANCE, Sort.FOREIGN, Sort.FUNCTION, Sort.CONTAINER}:
            names.setdefault(number_of_fields(execution, value), name)
    names[execution.number(vars(module))] = "module"
    return [_sentence(operation, names) for operation in operations(trace)]


def _sentence(operation: Operation, names: dict[int, str]) -> str:
    return " ".join([operation.kind.value, *(_word(effect, names) for effect in operation.effects)])


def _word(effect: Effect, names: dict[int, str]) -> str:
    part = effect.part if isinstance(effect.part, str) else repr(effect.part)
    return f"{'W' if effect.writes else 'R'} {names.get(effect.subject, '?')}.{part}"
