"""What keeps concurrency bugs out at run time: locks, sessions, atomic state.

Every call of a command-line tool pays for this import, so a name is loaded when it is
first used, and nothing outside the standard library is loaded at all.
"""

from importlib import import_module

TYPE_CHECKING = False  # the one of `typing` costs more to import than everything here

if TYPE_CHECKING:
    from racehound.guard.atomic import atomic_write as atomic_write
    from racehound.guard.config import ConfigStore as ConfigStore
    from racehound.guard.errors import ConcurrentModification as ConcurrentModification
    from racehound.guard.errors import ConfigInvalid as ConfigInvalid
    from racehound.guard.errors import GuardError as GuardError
    from racehound.guard.errors import LockHeld as LockHeld
    from racehound.guard.errors import LockUnavailable as LockUnavailable
    from racehound.guard.errors import SessionRefused as SessionRefused
    from racehound.guard.errors import WriteFailed as WriteFailed
    from racehound.guard.holder import Holder as Holder
    from racehound.guard.lock import Lock as Lock
    from racehound.guard.lock_owners import LockOwner as LockOwner
    from racehound.guard.orphans import Unlocked as Unlocked
    from racehound.guard.session import Session as Session

_MODULE_OF = {
    "ConcurrentModification": "errors",
    "ConfigInvalid": "errors",
    "ConfigStore": "config",
    "GuardError": "errors",
    "Holder": "holder",
    "Lock": "lock",
    "LockHeld": "errors",
    "LockOwner": "lock_owners",
    "LockUnavailable": "errors",
    "Session": "session",
    "SessionRefused": "errors",
    "Unlocked": "orphans",
    "WriteFailed": "errors",
    "atomic_write": "atomic",
}

__all__ = list(_MODULE_OF)


# To a type checker the function would make every misspelt name a valid one.
if not TYPE_CHECKING:  # pragma: no branch

    def __getattr__(name: str) -> object:
        module = _MODULE_OF.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{__name__}.{module}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
