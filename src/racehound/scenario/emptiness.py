"""What was made ready inside an object and holds nothing: `_waiters = None` and `_waiters = []` tell the same.

A primitive makes the queue of those who wait when the first one has to. In serial orders nobody ever waits, so the
empty queue that is left over would be an outcome of no serial order, though nobody can tell it from none.
"""

import re
from collections.abc import Iterable, Sequence

from racehound.scenario.snapshot import Snapshot, without

_PRIVATE = re.compile(r"state\b.*\._")
_ABOUT = ("{}", "len({})", "items of {}", "order of {}")


def is_among(snapshot: Snapshot, known: Sequence[Snapshot], masked: Iterable[str]) -> bool:
    """Whether a state is one of those known, as far as it can be compared and more than emptiness differs."""
    hidden = frozenset(masked)
    seen = without(snapshot, hidden)
    if any(without(other, hidden) == seen for other in known):
        return True
    told = _without_empty(seen)
    return any(_without_empty(without(other, hidden)) == told for other in known)


def _without_empty(snapshot: Snapshot) -> Snapshot:
    """The snapshot without the private parts of the subject that are None, or containers of nothing."""
    private = [path for path in snapshot if _PRIVATE.match(path)]
    empty = [path for path in private if snapshot[path] == "None" or snapshot.get(f"len({path})") == "0"]
    return without(snapshot, [text.format(path) for path in empty for text in _ABOUT])
