"""Classes that are meant for one event loop.

Where a class has coroutines, its plain methods are called between two awaits by the same loop, and nobody calls
them on two threads at once. Unless something speaks of threads: the modules that the code is in know them, or the
class offers the same as a coroutine and as a plain method, for those who have no loop. Of a class that is called
asynchronous its own code has the say: its module knows threads for the sake of the other one.
A class without coroutines belongs there, too, if it asks for the loop that runs, or makes futures and tasks.
"""

import inspect
import re
import sys
import types
from collections.abc import Iterator, Sequence

THREADED = frozenset({"_thread", "concurrent.futures", "multiprocessing", "queue", "threading"})
_REACHES_FOR_THREADS = re.compile(r"\b(to_thread|run_in_executor|call_soon_threadsafe|run_coroutine_threadsafe)\b")
_CALLED_ASYNCHRONOUS = re.compile(r"^_*(Async|Aio)|Async(io)?$")
_OF_THE_LOOP = frozenset({"Future", "create_task", "ensure_future", "get_event_loop", "get_running_loop"})
_RUNS_A_LOOP = frozenset({"new_event_loop", "run", "run_forever", "run_until_complete"})
_TWINS = ("a{0}", "async_{0}", "{0}_async")
NO_LOOP = ("no current event loop", "no running event loop")
"""What asyncio says to code that needs a loop where there is none."""


def is_of_one_loop(classes: Sequence[type]) -> bool:
    """Whether the members of a class, given with those it derives from, belong on one event loop."""
    members: dict[str, object] = {}
    for owner in reversed(classes):
        members.update(vars(owner))
    public = {name for name in members if not name.startswith("_")}
    if not any(_awaits(member) for member in members.values()) and not any(map(_counts_on_a_loop, classes)):
        return False
    if any(twin.format(name) in public for name in public for twin in _TWINS):
        return False
    own = [owner for owner in classes if not owner.__module__.startswith("asyncio.")]
    if _CALLED_ASYNCHRONOUS.search(classes[0].__name__):
        return not any(_uses_threads(owner) for owner in own)
    modules = {owner.__module__ for owner in own}
    return not any(_knows_threads(sys.modules[name]) for name in modules if name in sys.modules)


def _counts_on_a_loop(owner: type) -> bool:
    """Whether plain methods ask for the event loop that they are called on, or make what belongs to it."""
    names = {name for each in _functions_of(owner) for name in _names_in(each.__code__)}
    if not names.isdisjoint(_RUNS_A_LOOP):
        return False
    known = {
        name for each in _functions_of(owner) for name, value in each.__globals__.items() if _is_asyncio(value)
    }
    return not names.isdisjoint(known) and not names.isdisjoint(_OF_THE_LOOP)


def _is_asyncio(value: object) -> bool:
    return "asyncio" in _homes(value) or any(home.startswith("asyncio.") for home in _homes(value))


def _awaits(member: object) -> bool:
    function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
    inner = getattr(function, "__wrapped__", function)
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(inner)


def _uses_threads(owner: type) -> bool:
    """Whether the code of a class itself names something of threads."""
    used = (
        (name, each.__globals__.get(name)) for each in _functions_of(owner) for name in _names_in(each.__code__)
    )
    return any(
        _REACHES_FOR_THREADS.fullmatch(name) or any(home in THREADED for home in _homes(value))
        for name, value in used
    )


def _functions_of(owner: type) -> list[types.FunctionType]:
    return [member for member in vars(owner).values() if inspect.isfunction(member)]


def _names_in(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names_in(inner)


def _knows_threads(module: types.ModuleType) -> bool:
    if any(home in THREADED for value in vars(module).values() for home in _homes(value)):
        return True
    try:
        return bool(_REACHES_FOR_THREADS.search(inspect.getsource(module)))
    except (OSError, TypeError):
        return True


def _homes(value: object) -> Iterator[str]:
    """The module that a name stands for, or where what it stands for comes from, with the packages around."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    if isinstance(name, str):
        yield name
        yield name.rpartition(".")[0]


def needs_loop(said: str) -> bool:
    """Whether a message complains that there is no event loop."""
    return any(text in said for text in NO_LOOP)
