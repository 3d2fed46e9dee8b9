"""Objects whose lock is taken by those who use them: their own methods leave it to the caller."""

from racehound.source.events import SELF, Acquire
from racehound.source.facts import ModuleFacts


def is_taken_outside(module: ModuleFacts, names: tuple[str, ...]) -> bool:
    """True for `with account.lock:` somewhere in the module."""
    return any(
        isinstance(event, Acquire)
        and event.value.place is not None
        and event.value.place.root != SELF
        and event.value.place.attributes[-1:] != ()
        and event.value.place.attributes[-1] in names
        for function in module.functions
        for event in (function.events if Acquire in function.holds else ())
    )
