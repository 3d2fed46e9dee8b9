"""Programs that step through their coroutines themselves, by `send`, and know no library that does it for them."""

from racehound.analysis.program import Program
from racehound.source.events import Call, Place
from racehound.source.facts import FunctionFacts, ModuleFacts

_LIBRARIES = frozenset({"asyncio", "anyio", "trio", "curio", "twisted", "tornado", "uvloop"})


def has_own_driver(program: Program) -> bool:
    """True if some function both sends into and throws into one coroutine, and no module knows such a library."""
    stepping = any(_steps(function) for module in program.modules for function in module.callers.get("throw", ()))
    return stepping and not any(map(_knows_library, program.modules))


def _knows_library(module: ModuleFacts) -> bool:
    return any(origin.partition(".")[0] in _LIBRARIES for origin in module.imports.values())


def _steps(function: FunctionFacts) -> bool:
    return bool(_receivers(function, "throw") & _receivers(function, "send"))


def _receivers(function: FunctionFacts, method: str) -> set[Place]:
    calls: list[Call] = [call for _, call in function.calls_of(method)]
    return {call.receiver.place for call in calls if call.receiver is not None and call.receiver.place is not None}
