"""Containers that are made and filled while a lock is held: whoever gets one later sees it change no more."""

from collections.abc import Iterable

from racehound.analysis.flow.surroundings import around
from racehound.analysis.locking.locksets import Locksets
from racehound.analysis.state.fields import Use
from racehound.source.events import Action, Shape


def is_filled_first(locksets: Locksets, change: Use, uses: Iterable[Use]) -> bool:
    """True for a change of a container that the same step has put there, and that nobody can have yet."""
    return any(
        use.function is change.function and use.index < change.index and _is_new_until(locksets, use, change)
        for use in uses
        if use.touch.action is Action.WRITE
    )


def _is_new_until(locksets: Locksets, made: Use, change: Use) -> bool:
    events, held = made.function.events, made.locks & change.locks
    values = made.touch.values
    if not values or not all(value.shape is Shape.CONTAINER and not value.arguments for value in values):
        return False
    if not around(events, made.index) <= around(events, change.index):
        return False
    return bool(held) and all(
        locksets.at(made.function, index) & held for index in range(made.index, change.index)
    )
