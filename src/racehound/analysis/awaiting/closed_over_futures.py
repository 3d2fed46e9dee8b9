"""Futures that a coroutine waits for and that a function nested in it completes, called back by somebody else."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.futures import MAKERS, first_wait, is_asked, is_future, is_limited
from racehound.analysis.awaiting.left_completions import SCHEDULERS
from racehound.analysis.meaning.kinds import Kinds
from racehound.source.events import Call, Pause, Place, Shape, Span
from racehound.source.facts import FunctionFacts, ModuleFacts

_SETTERS = ("set_result", "set_exception")


class CalledBack(NamedTuple):
    """`subscribe(lambda answer: future.set_result(answer))`, then `await wait_for(future, 5)`."""

    future: str
    waiting: FunctionFacts
    wait: Span
    is_limited: bool
    completing: FunctionFacts
    """The nested function, or the coroutine itself where it hands out a method of the future."""
    call: Call
    setter: str


def called_back(module: ModuleFacts, kinds: Kinds) -> Iterator[CalledBack]:
    for function in module.functions if not MAKERS.isdisjoint(module.callers) else ():
        if function.is_async and Pause in function.holds:
            for name, values in function.bindings.items():
                if len(values) == 1 and values[0].shape is Shape.CALL and is_future(function, values[0], kinds):
                    yield from _of_future(function, name)


def _of_future(function: FunctionFacts, name: str) -> Iterator[CalledBack]:
    wait = first_wait(function, -1, Place(name))
    event = None if wait is None else function.events[wait]
    if wait is None or not isinstance(event, Pause):
        return
    for completing, call, setter in (*_inside(function, name), *_handed(function, name, wait)):
        yield CalledBack(name, function, event.span, is_limited(function, wait), completing, call, setter)


def _inside(function: FunctionFacts, name: str) -> Iterator[tuple[FunctionFacts, Call, str]]:
    for inner in function.module.functions:
        if inner.parent is not function or inner.is_async or name in inner.bound or name in inner.parameters:
            continue
        for setter in _SETTERS:
            for index, call in inner.calls_of(setter):
                receiver = call.receiver
                if receiver is not None and receiver.place == Place(name) and not is_asked(inner, index, receiver):
                    yield inner, call, setter


def _handed(function: FunctionFacts, name: str, wait: int) -> Iterator[tuple[FunctionFacts, Call, str]]:
    """What the loop is asked to call is told elsewhere."""
    for event in function.events[:wait]:
        if type(event) is Call and event.method not in SCHEDULERS:
            for value in (*event.arguments, *(value for _, value in event.keywords)):
                for setter in _SETTERS:
                    if value.shape is Shape.PLACE and value.place == Place(name, (setter,)):
                        yield function, event, setter
