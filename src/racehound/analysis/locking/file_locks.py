"""Locks between processes that are files: whoever waits for one stops the whole thread."""

from racehound.analysis.flow.blocks import pause_in_block
from racehound.analysis.program import Program
from racehound.source.events import Acquire, Pause, Shape, Value
from racehound.source.facts import FunctionFacts

FILE_LOCKS = frozenset(
    {
        *("filelock.FileLock", "filelock.SoftFileLock", "filelock.UnixFileLock", "filelock.WindowsFileLock"),
        *("fasteners.InterProcessLock", "portalocker.Lock", "lockfile.LockFile", "lockfile.FileLock"),
        *("zc.lockfile.LockFile", "oslo_concurrency.lockutils.external_lock"),
    }
)
_LIMITS = frozenset({"timeout", "blocking", "fail_when_locked"})
"""Arguments by which a lock that is not free is given up."""


def pause_under_file_lock(program: Program, function: FunctionFacts, at: int, acquire: Acquire) -> Pause | None:
    """The first await while a coroutine holds a file lock of its own, for which others wait without end."""
    made = _made(function, acquire.value)
    if made is None or made.place is None or not _LIMITS.isdisjoint(word for word, _ in made.keywords):
        return None
    if program.kinds.callee(function, made.place) not in FILE_LOCKS:
        return None
    return pause_in_block(function, at, acquire)


def _made(function: FunctionFacts, value: Value) -> Value | None:
    """The call that makes the lock, also where it goes through a variable of the function."""
    if value.shape is Shape.CALL:
        return value
    if value.shape is not Shape.PLACE or value.place is None or value.place.attributes:
        return None
    bound = function.bindings.get(value.place.root, ())
    return bound[0] if len(bound) == 1 and bound[0].shape is Shape.CALL else None
