"""What was made ready inside an object and holds nothing: `_waiters = None` and `_waiters = []` tell the same.

A primitive makes the queue of those who wait when the first one has to. In serial orders nobody ever waits, so the
empty queue that is left over would be an outcome of no serial order, though nobody can tell it from none. Not so
where there was something before: `_items = None` says then that it was closed, and `_items = []` that it is open.
"""

import re
from collections.abc import Iterable, Sequence

from racehound.scenario.snapshot import Snapshot, without

_PRIVATE = re.compile(r"state\b.*\._")
_ABOUT = ("{}", "len({})", "items of {}", "order of {}")


def filled_in(snapshot: Snapshot) -> frozenset[str]:
    """The private parts of the subject that are there and not None."""
    return frozenset(path for path, text in snapshot.items() if _PRIVATE.match(path) and text != "None")


def is_among(
    snapshot: Snapshot, known: Sequence[Snapshot], masked: Iterable[str], *, filled: frozenset[str] = frozenset()
) -> bool:
    """Whether a state is one of those known, as far as it can be compared and more than emptiness differs.

    `filled` is what was there before all began, so that it matters whether it is gone.
    """
    hidden = frozenset(masked)
    seen = without(snapshot, hidden)
    if any(without(other, hidden) == seen for other in known):
        return True
    told = _without_empty(seen, filled)
    return any(_without_empty(without(other, hidden), filled) == told for other in known)


def _without_empty(snapshot: Snapshot, filled: frozenset[str]) -> Snapshot:
    """The snapshot without the private parts of the subject that are None, or containers of nothing."""
    private = [path for path in snapshot if path not in filled and _PRIVATE.match(path)]
    empty = [path for path in private if snapshot[path] == "None" or snapshot.get(f"len({path})") == "0"]
    return without(snapshot, [text.format(path) for path in empty for text in _ABOUT])
