"""Accesses that nobody else can see yet, or any more."""

import re
from collections import Counter

from racehound.analysis.locking.locksets import Locksets, is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.threads.contexts import Contexts
from racehound.analysis.threads.forks import Forks
from racehound.analysis.threads.over import Over
from racehound.source.events import SELF, Action, Call, Place, Release, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

DIAGNOSTICS = frozenset({"__repr__", "__str__", "__del__", "__getstate__", "__reduce__", "__reduce_ex__"})
"""Methods whose reads are for people, or run when nobody else has the object."""

TELLING = re.compile(
    r"_*((repr|str|describe|dump|debug|log|stats?|statistics|snapshot|summary)(_\w+)?"
    r"|get_(stats?|statistics|state|status|info|metrics)|(to|as)_(dict|json|str))"
)
"""Functions that tell people how things are: what they find may be a moment old."""

STARTING = re.compile(r"_*(start|run|open|begin|launch|connect|restart)")
"""Whoever calls these is most often the one who made the object."""

_LOCKS = frozenset({"Lock", "RLock", "Condition"})
_QUEUE_CLASSES = ("Queue", "LifoQueue", "PriorityQueue")
_QUEUES = frozenset(f"{module}.{name}" for module in ("queue", "asyncio") for name in _QUEUE_CLASSES)
_UNDER_LOCK_OF_QUEUE = frozenset({"_init", "_qsize", "_put", "_get"})
"""Steps that a class derived from a queue gives it; the queue calls them one at a time."""
_POOLS = frozenset({"concurrent.futures.ThreadPoolExecutor", "concurrent.futures.thread.ThreadPoolExecutor"})


class Ownership:
    def __init__(self, locksets: Locksets, contexts: Contexts, kinds: Kinds) -> None:
        self._locksets = locksets
        self._contexts = contexts
        self._kinds = kinds
        self.forks = Forks(contexts.modules, contexts.calls)
        self._owned: dict[FunctionFacts, bool] = {}
        self._over = Over(contexts)
        self._windows: dict[FunctionFacts, tuple[int, int]] = {}
        self._starters = Counter(map(_home, {outer_method(item) for item in contexts.spawns}))
        """How many functions of each class or module start threads: the first of one meets those of the others."""

    def is_owned(self, function: FunctionFacts) -> bool:
        """True if the function runs only while the object is under construction."""
        if function not in self._owned:
            self._owned[function] = False  # recursion alone does not make a function owned
            self._owned[function] = self._decide(function)
        return self._owned[function]

    def _decide(self, function: FunctionFacts) -> bool:
        if function.name == "__new__":
            return False  # the object is a local variable there; what `cls` leads to is everybody's
        if is_constructor(function) or _makes_locks(function):
            return True
        if function.owner is None:
            return False
        if function.name in _UNDER_LOCK_OF_QUEUE and self._is_queue(function.owner):
            return True
        callers = self._locksets.callers(function.owner).get(function)
        return bool(callers) and all(self.is_owned(caller) for caller, _ in callers or ())

    def _is_queue(self, owner: ClassFacts) -> bool:
        return not _QUEUES.isdisjoint(self._kinds.hierarchy.outside_bases(owner))

    def is_in_thread(self, function: FunctionFacts) -> bool:
        """True if the function is known to run in a thread that the program starts."""
        return bool(self._contexts.of(function))

    def window(self, function: FunctionFacts) -> tuple[int, int]:
        """What a function does before it starts its threads, or after it has waited for them, is outside of it."""
        if function not in self._windows:
            spawns = self._contexts.spawns.get(function)
            last = len(function.events)
            may_wait = Release in function.holds or "join" in function.module.callers
            events = enumerate(function.events) if may_wait else ()
            waits = [index for index, event in events if self._waits(function, event)]
            alone = not self._contexts.of(function) and self._starters[_home(function)] == 1
            alone = alone and _is_first(outer_method(function))
            begin = spawns[0][0] if spawns and alone else self._begin(function)
            end = waits[0] if waits and not _in_loop(function, waits[0]) else last
            self._windows[function] = begin, min(end, self._end(function, last))
        return self._windows[function]

    def _end(self, function: FunctionFacts, last: int) -> int:
        """Where all that it has started is over, if no other thread is there that does the same."""
        crowded = any(item.context.many and SELF in item.shared for item in self._contexts.of(function))
        end = None if crowded else self._over.since(function)
        return last if end is None else end

    def _begin(self, function: FunctionFacts) -> int:
        """Where a plain function that runs in no thread first calls one that starts some."""
        begun = self._contexts.begun.get(function, ()) if function.owner is None else ()
        is_first = not self._contexts.of(function) and function not in self._contexts.spawns
        return min(item.begin for item in begun) if begun and is_first else 0

    def _waits(self, function: FunctionFacts, event: object) -> bool:
        if isinstance(event, Call):
            return event.method == "join" and event.receiver is not None and self._is_thread(function, event)
        if isinstance(event, Release) and event.value.shape is Shape.CALL:
            return bool(self._kinds.value(function, event.value) & _POOLS)
        return False

    def _is_thread(self, function: FunctionFacts, call: Call) -> bool:
        place = call.receiver.place if call.receiver is not None else None
        if place is None:
            return False
        if "thread" in str(place).lower() or "worker" in str(place).lower():
            return True
        return "threading.Thread" in self._kinds.place(function, place) or place == Place(SELF)


def _home(function: FunctionFacts) -> ClassFacts | ModuleFacts:
    return function.owner or function.module


def _is_first(method: FunctionFacts) -> bool:
    """False for what works on the class, and for a method that is called again: threads may run from before."""
    if method.name == "__new__" or any(place.root == "classmethod" for place in method.decorators):
        return False
    return method.owner is None or method.name.startswith("_") or STARTING.match(method.name) is not None


def _makes_locks(function: FunctionFacts) -> bool:
    """True for a reset that gives the object new locks without asking for the old ones: nobody may use it then."""
    touches = [event for event in function.events if isinstance(event, Touch)]
    made = {touch.place for touch in touches if any(value.name in _LOCKS for value in touch.values)}
    asked = {touch.place for touch in touches if touch.action is Action.CHECK}
    return bool(made - asked) and not made & asked


def _in_loop(function: FunctionFacts, index: int) -> bool:
    event = function.events[index]
    return isinstance(event, Call) and event.loop > 0
