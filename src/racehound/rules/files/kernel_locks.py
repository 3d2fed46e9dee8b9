"""Files that are only there to be locked: who made them, and how often, does not matter."""

from racehound.source.events import Call
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall, FileVerb

_KERNEL_LOCKS = frozenset({"flock", "lockf", "lock", "locking", "LockFile", "LockFileEx"})


def is_locked_later(function: FunctionFacts, made: FileCall) -> bool:
    """True if the kernel is asked for a lock on the file."""
    return any(isinstance(event, Call) and event.method in _KERNEL_LOCKS for event in function.events[made.at :])


def is_locked_between(function: FunctionFacts, look: FileCall, made: FileCall) -> bool:
    """True if the kernel is asked for a lock after the look: who does not get it has not gone on by the look."""
    between = function.events[look.at : made.at]
    return any(isinstance(event, Call) and event.method in _KERNEL_LOCKS for event in between)


def is_made_for_one(function: FunctionFacts, call: FileCall) -> bool:
    """True if the module makes the file in one step that fails for all but one: all have to know its name."""
    return any(
        other.verb is FileVerb.CREATE and other.path == call.path
        for item in function.module.functions
        for other in item.files
    )
