"""Readers that reckon with what they cannot make sense of: half of a file, or none of it."""

import re

from racehound.analysis.program import Program
from racehound.source.attempts import Attempt
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall


def expects_half(reader: FunctionFacts, at: int) -> bool:
    """True if the reader reckons with what it cannot make sense of: `with open(path) as file: try: load(file)`."""
    later = (attempt for attempt in reader.attempts if at < attempt.begin)
    return _is_called_with_doubt(reader, at) or any(map(_takes_nonsense, later))


def _is_called_with_doubt(caller: FunctionFacts, at: int) -> bool:
    around = [attempt for attempt in caller.attempts if attempt.begin <= at < attempt.end]
    return any(_takes_nonsense(attempt) or _takes_all(attempt) for attempt in around)


def _takes_nonsense(attempt: Attempt) -> bool:
    return any(not caught.raises and any(map(_SENSELESS.search, caught.names)) for caught in attempt.handlers)


def do_callers_expect_half(program: Program, reader: FunctionFacts, depth: int = 2) -> bool:
    """True for a helper that only reads, where all who call it reckon with that, or those who call them."""
    calls = [
        (caller, index)
        for caller in reader.module.callers.get(reader.name, ())
        for index, event in enumerate(caller.events)
        if isinstance(event, Call) and program.calls.target(caller, event) is reader
    ]
    return bool(calls) and all(
        _is_called_with_doubt(caller, index) or (depth > 0 and do_callers_expect_half(program, caller, depth - 1))
        for caller, index in calls
    )


_SENSELESS = re.compile(
    r"(?i)^(ValueError|EOFError|UnpicklingError|YAMLError|ParsingError)$|(decode|parser?|syntax)_?error$"
)
"""What is raised by those who cannot make sense of a text."""


def is_best_effort(writer: FunctionFacts, write: FileCall, reader: FunctionFacts, read: FileCall) -> bool:
    """True if neither of the two minds whatever goes wrong, as with a cache."""
    return all(
        any(attempt.begin <= call.at < attempt.end and _takes_all(attempt) for attempt in function.attempts)
        for function, call in ((writer, write), (reader, read))
    )


def _takes_all(attempt: Attempt) -> bool:
    return any(
        (not caught.names or _ANYTHING & set(caught.names)) and not caught.raises for caught in attempt.handlers
    )


_ANYTHING = frozenset({"Exception", "BaseException"})
