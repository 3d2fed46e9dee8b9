"""Messages on a stream that take several steps with an await in between: head and body, question and answer.

Nobody else may write, or read, between the steps.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.paths import Paths
from racehound.analysis.locking.locksets import Locksets
from racehound.source.events import SELF, Call, Place
from racehound.source.facts import FunctionFacts

WRITERS = frozenset({"write", "writelines", "sendall", "send_all", "sendto"})
"""What puts a part of a message on its way."""
READERS = frozenset({"read", "readline", "readexactly", "readuntil", "receive_some", "recv", "receive"})
_STREAM = re.compile(
    r"(?!_*(trace|log|out|err))_*(\w+_)?(reader|writer|transport|stream|sock|socket|serial|connection|conn)"
)


class Dialogue(NamedTuple):
    function: FunctionFacts
    first: int
    """Index of the call that begins it."""
    pause: int
    last: int
    """Index of a later call that belongs to it."""

    @property
    def stream(self) -> Place:
        call = self.function.events[self.last]
        return (stream_of(call) if isinstance(call, Call) else None) or Place("")

    @property
    def is_answered(self) -> bool:
        call = self.function.events[self.last]
        return isinstance(call, Call) and call.method in READERS


def dialogues(function: FunctionFacts, paths: Paths, locksets: Locksets) -> Iterator[Dialogue]:
    """The first one of a function that no lock is held over."""
    steps = _steps(function)
    for at, first in steps:
        for then, _ in steps:
            pause = _pause(paths, at, then) if first.method in WRITERS and at < then else None
            if pause is not None and not locksets.at(function, at) & locksets.at(function, then):
                yield Dialogue(function, at, pause, then)
                return


def _pause(paths: Paths, first: int, last: int) -> int | None:
    return paths.pause_between(first, last) if paths.reaches(first, last) else None


def _steps(function: FunctionFacts) -> list[tuple[int, Call]]:
    found = [item for name in WRITERS | READERS for item in function.calls_of(name)]
    return sorted(((at, call) for at, call in found if stream_of(call) is not None), key=lambda item: item[0])


def stream_of(call: Call) -> Place | None:
    """The field that the stream is kept in, which a method is called of."""
    root, attributes = call.callee or Place("")
    is_field = root == SELF and len(attributes) == _FIELD_AND_METHOD
    return Place(SELF, attributes[:1]) if is_field and _STREAM.fullmatch(attributes[0]) else None


_FIELD_AND_METHOD = 2
