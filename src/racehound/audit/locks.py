"""What the calls of a command say about a file: that it is a lock, or that it only ever grows."""

import re
from collections import defaultdict
from collections.abc import Iterable

from racehound.processes.calls import READING, FileCall

LOCK_NAME = re.compile(r"(?:\.lock|\.lck|\.pid|\.flock)$|(?:^|[/._-])lock(?:$|[._-])|\.lock[./]", re.IGNORECASE)
EXCLUSIVE = frozenset({"open-exclusive", "mkdir", "link", "symlink"})
"""Calls that fail where the name is taken."""
REMOVING = frozenset({"unlink", "rmdir"})
DEVICES = ("/dev/", "/proc/", "/sys/", "/var/lib/libuuid/")
"""What belongs to the system; the last is where ids that hold a time are kept apart."""
APPENDING = frozenset({"open-append", "write", "stat", "access"})


def lock_files(calls: Iterable[FileCall]) -> frozenset[str]:
    """Files that are locked and named for it: what they hold is about their holder.

    The name alone is not enough, `uv.lock` is data, and neither is the lock, a database is locked itself.
    """
    return frozenset(call.path for call in calls if call.locking and LOCK_NAME.search(call.path))


def locks_taken(calls: Iterable[FileCall]) -> frozenset[str]:
    """Every path that keeps others out: by a kernel lock, or by being made where none may be and removed again.

    What is removed before it is made is replaced, like a link that is to lead elsewhere.
    """
    removed: set[str] = set()
    taken: set[str] = set()
    for call in reversed([call for call in calls if not call.outside]):
        if call.name in REMOVING:
            removed.add(call.path)
        if call.locking or (call.name in EXCLUSIVE and (call.path in removed or LOCK_NAME.search(call.path))):
            taken.add(call.path)
    return frozenset(taken)


def changed_outside(calls: Iterable[FileCall]) -> frozenset[str]:
    """Paths beyond the sandbox that a command changes, but for those that it only locks."""
    outside = [call for call in calls if call.outside and not call.path.startswith(DEVICES)]
    locked = {call.path for call in outside if call.locking}
    return frozenset(call.path for call in outside if call.mutating and call.path not in locked)


def mapped(calls: Iterable[FileCall]) -> frozenset[str]:
    """Files in the sandbox that are written through memory."""
    return frozenset(call.path for call in calls if call.name == "mmap" and not call.outside)


def only_appended(calls: Iterable[FileCall]) -> frozenset[str]:
    """Files whose every write goes to the end, and that are never read, emptied, replaced or locked."""
    return _written_by_nothing_but(calls, APPENDING)


def only_grown(calls: Iterable[FileCall]) -> frozenset[str]:
    """The same, but they may be read: who looks at a log after adding to it takes no more care of others.

    Who opens it for both and looks only, writes through what was opened to append.
    """
    calls = list(calls)
    return _written_by_nothing_but(calls, APPENDING | READING | {"open-write"}) - _written_in_place(calls)


def _written_in_place(calls: Iterable[FileCall]) -> frozenset[str]:
    """Files that are written by a process which did not open them to append the last time."""
    opened: dict[tuple[int, str], str] = {}
    found = set()
    for call in calls:
        if call.name.startswith("open-"):
            opened[call.process, call.path] = call.name
        elif call.name == "write" and opened.get((call.process, call.path), "") == "open-write":
            found.add(call.path)
    return frozenset(found)


def _written_by_nothing_but(calls: Iterable[FileCall], kinds: frozenset[str]) -> frozenset[str]:
    names: dict[str, set[str]] = defaultdict(set)
    for call in calls:
        for path in call.paths:
            names[path].add(call.name)
    return frozenset(path for path, seen in names.items() if "write" in seen and seen <= kinds)
