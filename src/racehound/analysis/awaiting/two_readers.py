"""Streams that a task of the object reads all the time, and that others of its coroutines read as well."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.dialogues import READERS, stream_of
from racehound.analysis.awaiting.visitors import is_for_all, is_run_by_own_task
from racehound.analysis.program import Program
from racehound.source.events import Call, Place
from racehound.source.facts import ClassFacts, FunctionFacts


class Read(NamedTuple):
    function: FunctionFacts
    at: int
    call: Call


class TwoReaders(NamedTuple):
    stream: Place
    task: Read
    """By a task that the object starts."""
    other: Read
    """By a coroutine that whoever has the object calls."""


def two_readers(program: Program, owner: ClassFacts) -> Iterator[TwoReaders]:
    reads: dict[Place, list[Read]] = {}
    for function in owner.methods.values():
        for name in READERS if function.is_async else ():
            for at, call in function.calls_of(name):
                stream = stream_of(call)
                if stream is not None:
                    reads.setdefault(stream, []).append(Read(function, at, call))
    for stream, found in reads.items():
        yield from _apart(program, stream, found)


def _apart(program: Program, stream: Place, reads: list[Read]) -> Iterator[TwoReaders]:
    """The first pair of a stream that no lock keeps apart."""
    others = [
        read for read in reads if is_for_all(read.function) and not is_run_by_own_task(program, read.function)
    ]
    own = [read for read in reads if is_run_by_own_task(program, read.function)] if others else []
    for task in own:
        for other in others:
            held = program.locksets.at(task.function, task.at) & program.locksets.at(other.function, other.at)
            if not held:
                yield TwoReaders(stream, task, other)
                return
