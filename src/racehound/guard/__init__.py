"""What keeps concurrency bugs out at run time: locks, sessions, atomic state, circuit breaker, executor.

Every call of a command-line tool pays for this import, so a name is loaded when it is first used, and nothing
outside the standard library is loaded at all.
"""

TYPE_CHECKING = False  # the one of `typing` costs more to import than everything here

if TYPE_CHECKING:
    from racehound.guard.atomic import atomic_write as atomic_write
    from racehound.guard.breaker import BreakerEvent as BreakerEvent
    from racehound.guard.breaker import CircuitBreaker as CircuitBreaker
    from racehound.guard.breaker import CircuitOpen as CircuitOpen
    from racehound.guard.breaker import Permit as Permit
    from racehound.guard.breaker import Window as Window
    from racehound.guard.config import ConfigStore as ConfigStore
    from racehound.guard.errors import ConcurrentModification as ConcurrentModification
    from racehound.guard.errors import ConfigInvalid as ConfigInvalid
    from racehound.guard.errors import GuardError as GuardError
    from racehound.guard.errors import LockHeld as LockHeld
    from racehound.guard.errors import LockUnavailable as LockUnavailable
    from racehound.guard.errors import SessionRefused as SessionRefused
    from racehound.guard.errors import WriteFailed as WriteFailed
    from racehound.guard.executor import Outcome as Outcome
    from racehound.guard.executor import ParallelStrategyExecutor as ParallelStrategyExecutor
    from racehound.guard.holder import Holder as Holder
    from racehound.guard.lock import Lock as Lock
    from racehound.guard.lock_owners import LockOwner as LockOwner
    from racehound.guard.orphans import Unlocked as Unlocked
    from racehound.guard.session import Session as Session
    from racehound.guard.stores.breaker_postgres import PostgresBreakerStore as PostgresBreakerStore
    from racehound.guard.stores.breaker_redis import RedisBreakerStore as RedisBreakerStore
    from racehound.guard.stores.breaker_sqlite import SqliteBreakerStore as SqliteBreakerStore

_MODULE_OF = {
    "BreakerEvent": "breaker",
    "CircuitBreaker": "breaker",
    "CircuitOpen": "breaker",
    "ConcurrentModification": "errors",
    "ConfigInvalid": "errors",
    "ConfigStore": "config",
    "GuardError": "errors",
    "Holder": "holder",
    "Lock": "lock",
    "LockHeld": "errors",
    "LockOwner": "lock_owners",
    "LockUnavailable": "errors",
    "Outcome": "executor",
    "ParallelStrategyExecutor": "executor",
    "Permit": "breaker",
    "PostgresBreakerStore": "stores.breaker_postgres",
    "RedisBreakerStore": "stores.breaker_redis",
    "Session": "session",
    "SessionRefused": "errors",
    "SqliteBreakerStore": "stores.breaker_sqlite",
    "Unlocked": "orphans",
    "Window": "breaker",
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
        from importlib import import_module  # noqa: PLC0415 - not needed by those who only import the package

        value: object = getattr(import_module(f"{__name__}.{module}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
