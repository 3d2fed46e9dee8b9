"""Files with the number of the process that holds them: read, found to be of nobody alive, and overwritten.

Two processes that start read the same old number, find that its process is gone, and both write their own.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.rules.files.file_reach import Reached, reached
from racehound.source.events import Call, Exit, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileVerb

_NUMBER = "getpid"
_LOOKS = frozenset({FileVerb.CHECK, FileVerb.READ})
_WRITERS = ("write", "write_text", "print")
_LEAVES = frozenset({"exit", "_exit", "abort", "error", "fail"})


def claiming(program: Program) -> Iterator[FunctionFacts]:
    """Functions that write a file and ask for the number of their process."""
    for module in program.modules:
        for function in dict.fromkeys(module.callers.get(_NUMBER, ())):
            if any(call.verb is FileVerb.WRITE for call in function.files):
                yield function


def claimed_by_number(program: Program, function: FunctionFacts) -> Iterator[tuple[Reached, Reached]]:
    """The look at the file, and the write of one's own number, where others are turned away in between."""
    steps = list(reached(program, function, depth=1))
    for write in steps:
        if write.call.verb is not FileVerb.WRITE or write.by is not function or not _tells_number(function, write):
            continue
        for look in steps:
            same = look.call.verb in _LOOKS and look.key == write.key and look.call.at < write.call.at
            if same and _turns_away(function, look.call.at, write.call.at):
                yield look, write
                return


def _tells_number(function: FunctionFacts, write: Reached) -> bool:
    calls = (item for name in _WRITERS for item in function.calls_of(name))
    return any(
        at >= write.call.at and any(_has_number(function, value) for value in call.arguments) for at, call in calls
    )


def _has_number(function: FunctionFacts, value: Value) -> bool:
    if value.name == _NUMBER or any(_has_number(function, item) for item in value.arguments):
        return True
    place = value.place
    bound = function.bindings.get(place.root, ()) if place is not None and not place.attributes else ()
    return any(item.name == _NUMBER for item in bound)


def _turns_away(function: FunctionFacts, look: int, write: int) -> bool:
    return any(
        (isinstance(event, Exit) and event.kind in {"raise", "return"})
        or (isinstance(event, Call) and event.method in _LEAVES)
        for event in function.events[look:write]
    )
