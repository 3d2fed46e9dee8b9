"""Tasks that the function which has started them awaits, before it goes on."""

from collections.abc import Iterator

from racehound.analysis.awaiting.coroutines import Start, is_inside
from racehound.analysis.program import Program
from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.at_once import is_awaited_at_once
from racehound.analysis.threads.over import over_after, waits
from racehound.analysis.threads.pieces import Piece, piece_at
from racehound.source.events import Call, Place, Waited
from racehound.source.facts import FunctionFacts

_AT_ONCE = Place("<awaited>")


def are_awaited_before(program: Program, function: FunctionFacts, index: int, other: FunctionFacts) -> bool:
    """True if the other runs only in tasks that the function has started, and awaited before an event."""
    tasks = program.tasks
    contexts = tasks.of(other)
    if not contexts or any(context.many for context in _runs(program, function)):
        return False
    starts = {_origin(function, start): start for start in program.coroutines.starts(function)}
    if any(context.starter not in starts for context in contexts):
        return False
    begun = [_piece(function, starts[context.starter]) for context in contexts]
    waited = [*waits(function), *_awaited_at_once(begun)]
    end = over_after(function, begun, waited)
    return end is not None and end < index


def _runs(program: Program, function: FunctionFacts) -> tuple[Context, ...]:
    return program.tasks.on_shared_self(function) if function.owner else program.tasks.of(function)


def _origin(function: FunctionFacts, start: Start) -> str:
    return f"{function}:{start.call.span.column}"


def _piece(function: FunctionFacts, start: Start) -> Piece:
    """What is done with the task, or with all that are gathered."""
    at = start.at
    for index in range(start.at + 1, len(function.events)):
        event = function.events[index]
        if isinstance(event, Call):
            if not is_inside(start.call.span, event.span):
                break
            at = index
    if is_awaited_at_once(function, at):
        return Piece(at, None, frozenset({_AT_ONCE}))
    return piece_at(function, at)


def _awaited_at_once(pieces: list[Piece]) -> Iterator[Waited]:
    for piece in pieces:
        if _AT_ONCE in piece.kept_by:
            yield Waited(piece.at + 1, _AT_ONCE)
