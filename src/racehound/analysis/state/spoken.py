"""Messages of threads on a stream that take several steps: head and body, question and answer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.paths import Paths
from racehound.analysis.locking.locksets import Locksets
from racehound.source.events import SELF, Bind, Call, Place, Shape
from racehound.source.facts import FunctionFacts

WRITERS = frozenset({"sendall", "send", "write", "writelines", "send_bytes", "send_multipart", "sendmsg"})
READERS = frozenset({"recv", "recv_into", "recv_bytes", "recv_multipart", "read", "readline", "makefile"})
_STREAM = re.compile(r"_*(\w+_)?(sock|socket|serial|port|pipe|conn|connection)")
"""Whatever else is written to, each step of it stands for itself: a log, a file, a buffer."""


class Talk(NamedTuple):
    function: FunctionFacts
    stream: Place
    first: int
    """Index of the call that begins it."""
    last: int
    """Index of a later call that belongs to it."""

    @property
    def is_answered(self) -> bool:
        call = self.function.events[self.last]
        return isinstance(call, Call) and call.method in READERS


def talks(function: FunctionFacts, paths: Paths, locksets: Locksets) -> Iterator[Talk]:
    """The first one on each stream that no lock is held over."""
    spoken = steps_on_streams(function)
    told: set[Place] = set()
    for at, call, stream in spoken:
        for then, _, same in spoken if call.method in WRITERS and stream not in told else ():
            held = locksets.at(function, at) & locksets.at(function, then)
            if same == stream and at < then and not held and paths.reaches(at, then):
                told.add(stream)
                yield Talk(function, stream, at, then)
                break


def steps_on_streams(function: FunctionFacts) -> list[tuple[int, Call, Place]]:
    found = [item for name in WRITERS | READERS for item in function.calls_of(name)]
    known = [(at, call, _stream(function, at, call)) for at, call in sorted(found, key=lambda item: item[0])]
    return [(at, call, stream) for at, call, stream in known if stream is not None]


def _stream(function: FunctionFacts, at: int, call: Call) -> Place | None:
    """The field that the stream is kept in, which a method is called of, by whatever name."""
    root, attributes = call.callee or Place("")
    if root == SELF:
        return _of_field(Place(SELF, attributes[:1])) if len(attributes) == _FIELD_AND_METHOD else None
    if len(attributes) != 1 or root not in function.bound:
        return None
    bound = (event for event in reversed(function.events[:at]) if type(event) is Bind and event.name == root)
    last = next(bound, None)
    for value in last.values if last is not None else ():
        if value.shape is Shape.PLACE and value.place is not None and (found := _of_field(value.place)):
            return found
    return None


def _of_field(place: Place) -> Place | None:
    is_field = place.root == SELF and len(place.attributes) == 1
    return place if is_field and _STREAM.fullmatch(place.attributes[0]) else None


_FIELD_AND_METHOD = 2
