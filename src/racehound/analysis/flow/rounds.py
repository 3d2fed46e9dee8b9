"""Loops over a container that give way between two rounds."""

from racehound.analysis.flow.branches import fork_at, reaches_next_round
from racehound.source.events import Flow, Pause
from racehound.source.facts import FunctionFacts


def wait_between_rounds(function: FunctionFacts, iterated: int) -> int | None:
    """The await inside the loop over what is iterated at an event, with another round to come after it."""
    events = function.events
    start = iterated + 1
    if start + 1 >= len(events) or events[start] is not Flow.FORK or events[start + 1] is not Flow.LOOP:
        return None
    begin, end = fork_at(events, start).branches[0]
    inner: list[bool] = []
    for index in range(begin + 1, end):
        event = events[index]
        if event is Flow.FORK:
            inner.append(events[index + 1] is Flow.LOOP)
        elif event is Flow.JOIN:
            inner.pop()
        elif isinstance(event, Pause) and not event.yields and reaches_next_round(events, index, sum(inner)):
            return index
    return None
