"""Objects whose lock is taken by those who use them: their own methods leave it to the caller."""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.source.events import SELF, Acquire
from racehound.source.facts import ModuleFacts


def is_taken_outside(program: Program, module: ModuleFacts, names: tuple[str, ...]) -> bool:
    """True for `with account.lock:` somewhere in the module."""
    known = program.taken_outside
    if module not in known:
        known[module] = frozenset(_taken_of_others(module))
    return not known[module].isdisjoint(names)


def _taken_of_others(module: ModuleFacts) -> Iterator[str]:
    for function in module.functions:
        for event in function.events if Acquire in function.holds else ():
            place = event.value.place if isinstance(event, Acquire) else None
            if place is not None and place.root != SELF:
                yield from place.attributes[-1:]
