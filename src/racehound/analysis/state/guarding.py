"""Whether a lock that is held at some changes of a field is there for this field."""

from collections.abc import Iterable
from typing import Final

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.discipline import runs_once, usual_lock
from racehound.analysis.state.fields import Use

_FEW: Final = 2
_THIRD: Final = 3
"""Where more than a few functions change a field, one in three has to hold a lock that is for others, too."""


def is_guarded(uses: list[Use]) -> bool:
    """True if a lock is held where the field is changed, by more than a set-up that runs once."""
    lock = usual_lock(uses)
    return any(not runs_once(use.function) for use in uses if lock and use.changes and use.locks & lock)


def is_guarded_in_a_corner(uses: list[Use], others: Iterable[list[Use]]) -> bool:
    """True if few of the functions that change the field hold the lock, and others hold it for other fields.

    A lock that is never held for anything else is there for this field, however often it is forgotten.
    """
    lock = usual_lock(uses)
    changing = {outer_method(use.function) for use in uses if use.changes and not runs_once(use.function)}
    locking = {outer_method(use.function) for use in uses if use.changes and use.locks & lock}
    if len(changing) <= _FEW or _THIRD * len(locking & changing) >= len(changing):
        return False
    return any(use.changes and use.locks & lock for each in others for use in each)
