"""Run-time parts that keep concurrency bugs out of a program.

Names are resolved on first use, so that importing this package costs next to nothing and
a program pays only for the parts it touches.
"""

TYPE_CHECKING = False  # as good as typing's for type checkers, and without the time that importing typing takes

if TYPE_CHECKING:
    from racehound.guard.breaker import BreakerEvent as BreakerEvent
    from racehound.guard.breaker import CircuitBreaker as CircuitBreaker
    from racehound.guard.breaker import CircuitOpen as CircuitOpen
    from racehound.guard.breaker import Permit as Permit
    from racehound.guard.breaker import Window as Window
    from racehound.guard.executor import Outcome as Outcome
    from racehound.guard.executor import ParallelStrategyExecutor as ParallelStrategyExecutor
    from racehound.guard.stores.breaker_postgres import PostgresBreakerStore as PostgresBreakerStore
    from racehound.guard.stores.breaker_redis import RedisBreakerStore as RedisBreakerStore
    from racehound.guard.stores.breaker_sqlite import SqliteBreakerStore as SqliteBreakerStore

_HOME = {
    "BreakerEvent": "breaker",
    "CircuitBreaker": "breaker",
    "CircuitOpen": "breaker",
    "Outcome": "executor",
    "ParallelStrategyExecutor": "executor",
    "Permit": "breaker",
    "PostgresBreakerStore": "stores.breaker_postgres",
    "RedisBreakerStore": "stores.breaker_redis",
    "SqliteBreakerStore": "stores.breaker_sqlite",
    "Window": "breaker",
}


if not TYPE_CHECKING:  # to a type checker it would make every misspelt name a valid one

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - as above

        value: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(_HOME)
