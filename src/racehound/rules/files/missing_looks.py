"""Looks at a file that say by an error that it is not there: `try: os.stat(path) except FileNotFoundError`."""

from collections.abc import Sequence

from racehound.analysis.flow.branches import fork_at, leaves
from racehound.source.attempts import Attempt
from racehound.source.events import Event, Exit, Flow
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_MISSING = frozenset({"FileNotFoundError"})
_ASKING = frozenset({FileVerb.STAT, FileVerb.READ})


def goes_on_if_missing(function: FunctionFacts, look: FileCall, made: int) -> bool:
    """True if whoever finds the file is turned away, by `else: raise`, and whoever does not goes on to make it."""
    attempts = function.attempts if look.verb in _ASKING else ()
    return any(_turns_away(function, attempt, made) for attempt in attempts if attempt.guards(look.at, _MISSING))


def breaks_when_free(function: FunctionFacts, look: FileCall, made: int) -> bool:
    """True for a loop that is left when the file is gone, and whose `else` turns away who has waited in vain."""
    loops = range(look.at if look.verb is FileVerb.CHECK else 0)
    return any(_waits_in_vain(function.events, at, look.at, made) for at in loops)


def _waits_in_vain(events: Sequence[Event], at: int, look: int, made: int) -> bool:
    if events[at] is not Flow.FORK or events[at + 1] is not Flow.LOOP:
        return False
    branches, join = fork_at(events, at)
    begin, end = branches[0]
    breaks = any(isinstance(event, Exit) and event.kind == "break" for event in events[look:end])
    return begin <= look < end and join < made and breaks and any(leaves(events, *item) for item in branches[1:])


def _turns_away(function: FunctionFacts, attempt: Attempt, made: int) -> bool:
    handlers = [caught for caught in attempt.handlers if _MISSING & set(caught.names)]
    forks = [at for at in range(attempt.begin + 1, -1, -1) if function.events[at] is Flow.FORK]
    if not handlers or not forks or any(caught.leaves or caught.raises for caught in handlers):
        return False
    begin, end = fork_at(function.events, forks[0]).branches[0]
    return end <= made and leaves(function.events, begin, end)
