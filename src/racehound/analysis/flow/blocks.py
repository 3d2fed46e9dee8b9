"""What happens inside a `with` block."""

from racehound.source.events import Acquire, Pause, Release
from racehound.source.facts import FunctionFacts


def pause_in_block(function: FunctionFacts, at: int, entry: Acquire) -> Pause | None:
    """The first await in the block that an event enters."""
    for event in function.events[at + 1 :]:
        if isinstance(event, Release) and event.value == entry.value:
            return None
        if isinstance(event, Pause) and not event.yields:
            return event
    return None
