"""From where on all that a function has started is over: it has waited for each piece of the work."""

from collections.abc import Iterable, Iterator

from racehound.analysis.flow.surroundings import around, loops_in
from racehound.analysis.threads.contexts import Contexts
from racehound.analysis.threads.drained import drained
from racehound.analysis.threads.pieces import Piece, piece_at
from racehound.source.events import SELF, Acquire, Bind, Call, Exit, Pause, Place, Release, Shape, Value, Waited
from racehound.source.facts import ClassFacts, FunctionFacts

_WAITS = frozenset({"join", "result", "exception", "get"})
_DEPTH = 2
Origin = tuple[str, int]


class Over:
    def __init__(self, contexts: Contexts) -> None:
        self._contexts = contexts
        self._calls = contexts.calls
        self._known: dict[FunctionFacts, int | None] = {}

    def since(self, function: FunctionFacts) -> int | None:
        """The index of the event after which nothing runs any more that the function has started."""
        if function not in self._known:
            self._known[function] = None
            if function in self._contexts.spawns or function in self._contexts.begun:
                self._known[function] = self._decide(function)
        return self._known[function]

    def _decide(self, function: FunctionFacts) -> int | None:
        pieces = list(self._pieces(function, _DEPTH))
        origins = {origin for origin, _ in pieces}
        begun = self._contexts.begun.get(function, ())
        if any((item.context.path, item.context.line) not in origins for item in begun):
            return None
        return over_after(function, (piece for _, piece in pieces), list(self._waits(function, _DEPTH)))

    def _pieces(self, function: FunctionFacts, depth: int) -> Iterator[tuple[Origin, Piece]]:
        for index, context in self._contexts.spawns.get(function, ()):
            if (function, index) in self._contexts.steps:
                continue
            queues = drained(self._calls, function, index)
            piece = piece_at(function, index)
            yield (context.path, context.line), piece._replace(kept_by=piece.kept_by | queues)
        for index, event in enumerate(function.events):
            if isinstance(event, Call) and event.callee is not None:
                found = self._calls.kinds.callee(function, event.callee)
                if isinstance(found, ClassFacts) and found in self._contexts.thread_classes:
                    yield (found.module.path, found.span.line), piece_at(function, index)
                elif isinstance(found, FunctionFacts) and depth and found is not function:
                    yield from self._of_called(function, index, found, depth)

    def _of_called(
        self, function: FunctionFacts, index: int, called: FunctionFacts, depth: int
    ) -> Iterator[tuple[Origin, Piece]]:
        """What a function that is called starts and does not wait for itself."""
        if called not in self._contexts.spawns and called not in self._contexts.begun:
            return
        if self.since(called) is not None:
            return
        returned = {event.value.place for event in called.events if isinstance(event, Exit)}
        call, handed = function.events[index], piece_at(function, index)
        is_on_self = isinstance(call, Call) and _is_on_self(call)
        for origin, piece in self._pieces(called, depth - 1):
            kept = {place for place in _places(piece) if is_on_self and place.root == SELF}
            if not returned.isdisjoint(piece.kept_by):
                kept |= _places(handed)
            yield origin, Piece(index, None, frozenset(kept))

    def _waits(self, function: FunctionFacts, depth: int) -> Iterator[Waited]:
        yield from waits(function)
        for index, event in enumerate(function.events):
            if isinstance(event, Call) and depth and _is_on_self(event):
                found = self._calls.target(function, event)
                for item in self._always_waited(found, depth - 1) if found not in {None, function} else ():
                    yield Waited(index, item)

    def _always_waited(self, function: FunctionFacts | None, depth: int) -> Iterator[Place]:
        if function is not None:
            for item in self._waits(function, depth):
                if item.place.root == SELF and not around(function.events, item.at + 1):
                    yield item.place


def _places(piece: Piece) -> set[Place]:
    return {place for place in (piece.single, *piece.kept_by) if place is not None}


def over_after(function: FunctionFacts, pieces: Iterable[Piece], waited: list[Waited]) -> int | None:
    """Where the last of the pieces is over; None where there are none, or one may go on."""
    ends = [_end(function, piece, waited) for piece in pieces]
    return None if not ends or None in ends else max(end for end in ends if end is not None)


def _end(function: FunctionFacts, piece: Piece, waited: list[Waited]) -> int | None:
    begun = around(function.events, piece.at)
    for item in sorted(waited):
        behind = around(function.events, item.at + 1) if item.at > piece.at else None
        if behind is None or not behind <= begun:
            continue
        if item.place in piece.kept_by:
            return item.at
        if item.place == piece.single and loops_in(function.events, behind) == loops_in(function.events, begun):
            return item.at
    return None


def waits(function: FunctionFacts) -> Iterator[Waited]:
    """What a function waits for, without a time limit, and where that is done."""
    yield from (Waited(item.at - 1, item.place) for item in function.loops if isinstance(item, Waited))
    for index, event in enumerate(function.events):
        if isinstance(event, Call):
            yield from (Waited(index, place) for place in _waited_by(event))
        elif isinstance(event, Pause):
            yield from (Waited(index, place) for place in _awaited(event))
        elif isinstance(event, Release):
            yield from (Waited(index, place) for place in _left(function, event))


def _waited_by(call: Call) -> Iterator[Place]:
    receiver = call.receiver.place if call.receiver is not None else None
    if receiver is not None and (_is_plain_wait(call) or (call.method == "shutdown" and _is_patient(call))):
        yield receiver
    if call.method == "join" and call.callee is not None and _is_plain_wait(call):
        yield call.callee
    if call.method == "wait" and len(call.arguments) == 1 and not call.keywords:
        yield from filter(None, map(_collection, call.arguments))
    if call.method == "gather":
        yield from filter(None, map(_collection, call.arguments))


def _is_plain_wait(call: Call) -> bool:
    return call.method in _WAITS and not call.arguments and not call.keywords


def _awaited(pause: Pause) -> Iterator[Place]:
    if not pause.yields and pause.value.shape is Shape.PLACE and pause.value.place is not None:
        yield pause.value.place


def _is_patient(call: Call) -> bool:
    given = [*call.arguments[:1], *(value for word, value in call.keywords if word == "wait")]
    return all(value.name == "True" for value in given)


def _collection(value: Value) -> Place | None:
    if value.shape is Shape.OTHER and value.name == "*" and value.arguments:
        return value.arguments[0].place
    return value.place if value.shape is Shape.PLACE else None


def _left(function: FunctionFacts, left: Release) -> Iterator[Place]:
    """The pool whose `with` block ends there."""
    if left.value.shape is Shape.PLACE and left.value.place is not None:
        yield left.value.place
    for event, bound in zip(function.events, function.events[1:], strict=False):
        if isinstance(event, Acquire) and event.span == left.span and isinstance(bound, Bind):
            yield Place(bound.name)


def _is_on_self(call: Call) -> bool:
    return call.callee is not None and call.callee.root == SELF and len(call.callee.attributes) == 1
