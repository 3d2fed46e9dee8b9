"""Which threads an exit handler can meet.

The interpreter waits for all threads but daemons, and for the workers of pools, before it calls what `atexit` was
given; what threads themselves are told to call at the end, it calls before it waits.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from racehound.analysis.meaning.calls import POOL_THREAD
from racehound.analysis.threads.activations import Activation, Context
from racehound.analysis.threads.beginnings import Started
from racehound.analysis.threads.ends import EARLY_EXIT, EXIT
from racehound.source.events import SELF, Action, Call, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_Thread: TypeAlias = tuple[str, int]
_Activations: TypeAlias = Mapping[FunctionFacts, Iterable[Activation]]


class Exits:
    def __init__(
        self,
        ends: _Activations,
        threads: _Activations,
        started: Iterable[Started],
        of_classes: Mapping[ClassFacts, Context],
    ) -> None:
        self._exits = {
            function: found
            for function, activations in ends.items()
            if (found := [item for item in activations if item.context.what in {EXIT, EARLY_EXIT}])
        }
        self._threads = threads
        self._daemons = _daemons(started, of_classes, threads) if self._exits else {}
        """By the place where each thread is started, whether it is a daemon, as far as that can be seen."""

    def __contains__(self, function: FunctionFacts) -> bool:
        return function in self._exits

    def meeting(self, first: FunctionFacts, second: FunctionFacts, *, on_object: bool) -> Context | None:
        """Where the first one runs at exit, while a thread that is still there runs the second."""
        for activation in self._exits.get(first, ()):
            for other in self._threads.get(second, ()):
                both = SELF in activation.shared and SELF in other.shared
                if (both or not on_object) and self._lives_on(other.context, activation.context):
                    return activation.context
        return None

    def are_over(self, function: FunctionFacts) -> bool:
        """True if the threads that run the function have all ended when exit handlers are called."""
        found = [self._daemons.get(_thread(item.context)) for item in self._threads.get(function, ())]
        return bool(found) and all(is_daemon is False for is_daemon in found)

    def is_early(self, function: FunctionFacts) -> bool:
        return any(item.context.what == EARLY_EXIT for item in self._exits.get(function, ()))

    def _lives_on(self, thread: Context, end: Context) -> bool:
        known = _thread(thread) in self._daemons
        return known if end.what == EARLY_EXIT else self._daemons.get(_thread(thread)) is True


def _daemons(
    started: Iterable[Started], of_classes: Mapping[ClassFacts, Context], threads: _Activations
) -> dict[_Thread, bool | None]:
    found: dict[_Thread, bool | None] = {}
    for item in started:
        key, is_daemon = _thread(item.context), _is_daemon(item)
        if is_daemon is False and item.function in threads:
            is_daemon = None  # a daemon makes daemons
        found[key] = is_daemon if found.get(key, is_daemon) == is_daemon else None
    for owner, context in of_classes.items():
        found[_thread(context)] = _is_daemon_class(owner)
    return found


def _thread(context: Context) -> _Thread:
    return context.path, context.line


def _is_daemon(started: Started) -> bool | None:
    call = started.call
    if call.method == "start_new_thread":
        return True
    if started.context.what == POOL_THREAD:
        return False if call.method == "submit" else None
    if call.method not in {"Thread", "Timer"}:
        return None
    said = dict(call.keywords).get("daemon")
    if said is not None:
        return _is_true(said)
    return _is_made_daemon(started.function, started.at)


def _is_made_daemon(function: FunctionFacts, begin: int) -> bool | None:
    """Told after it was made, `thread.daemon = True`, or to a constructor; False where nothing is said."""
    for event in function.events[begin:]:
        if (
            isinstance(event, Touch)
            and event.action is Action.WRITE
            and event.place.attributes[-1:] == ("daemon",)
        ):
            return _is_true(*event.values)
        if isinstance(event, Call) and event.method == "setDaemon" and event.arguments:
            return _is_true(event.arguments[0])
        if isinstance(event, Call) and event.method != "Thread" and "daemon" in dict(event.keywords):
            return _is_true(dict(event.keywords)["daemon"])
    return False


def _is_true(*values: Value) -> bool | None:
    return {"True": True, "False": False}.get(values[0].name) if len(values) == 1 else None


def _is_daemon_class(owner: ClassFacts) -> bool | None:
    for value in owner.attributes.get("daemon", ()):
        return _is_true(value)
    made = owner.methods.get("__init__")
    told = _is_made_daemon(made, 0) if made is not None else False
    if told is False and any(_is_made_daemon(item, 0) is not False for item in owner.module.functions):
        return None
    return told
