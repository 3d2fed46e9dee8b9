"""Files that are meant to be written once: whoever finds one there is turned away, and told so."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.rules.files.file_steps import FILE_ERRORS
from racehound.source.events import Call, Exit, Shape
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_ANY = frozenset({"Exception", "BaseException"})


def raises_alike(program: Program, function: FunctionFacts, check: FileCall, use: FileCall) -> bool:
    """True if who finds no file raises what `open` raises: those who call it hear the same either way."""
    made = (function.events[at] for event in _refusals(program, function, check, use) for at in event.sources)
    return any(isinstance(event, Call) and event.method in FILE_ERRORS - _ANY for event in made)


def is_claimed(program: Program, function: FunctionFacts, check: FileCall, use: FileCall) -> bool:
    """True if the one who finds the file gets an error, or another answer than the one who writes it."""
    if use.verb is not FileVerb.WRITE or _is_compared(function, check, use):
        return False
    return any(_refusals(program, function, check, use)) or _is_answered(program, function, check, use)


def _is_compared(function: FunctionFacts, check: FileCall, use: FileCall) -> bool:
    """True if what is in the file decides, too: it is not for being there that somebody is turned away."""
    between = (call for call in function.files if check.at < call.at < use.at)
    return any(call.verb in {FileVerb.READ, FileVerb.STAT} and call.path == use.path for call in between)


def _refusals(program: Program, function: FunctionFacts, check: FileCall, use: FileCall) -> Iterator[Exit]:
    """Where the look ends in an error in place of the use."""
    return (event for event in _turned_away(program, function, check, use) if event.kind == "raise")


def _turned_away(program: Program, function: FunctionFacts, check: FileCall, use: FileCall) -> Iterator[Exit]:
    paths = program.awaits.paths(function)
    for index in range(check.at + 1, use.at):
        event = function.events[index]
        if not isinstance(event, Exit) or event.kind not in {"raise", "return"}:
            continue
        if paths.decided_by(check.at, index) and not paths.reaches(index, use.at):
            yield event


def _is_answered(program: Program, function: FunctionFacts, check: FileCall, use: FileCall) -> bool:
    """`return False` for the one and `return True` for the other: the caller learns who has the file."""
    turned = {event.value.name for event in _turned_away(program, function, check, use) if _is_constant(event)}
    paths = program.awaits.paths(function)
    done = {
        event.value.name
        for index, event in enumerate(function.events)
        if isinstance(event, Exit)
        and event.kind == "return"
        and _is_constant(event)
        and paths.reaches(use.at, index)
    }
    return bool(turned and done) and turned.isdisjoint(done)


def _is_constant(event: Exit) -> bool:
    return event.value.shape is Shape.CONSTANT
