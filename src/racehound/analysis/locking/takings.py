"""Where locks are taken: by a function itself, and by what it calls.

Only locks between threads whose making can be seen count here: what merely sounds like a lock may be anything.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_awaited, is_awaited_with_others, is_generator
from racehound.analysis.awaiting.waited_batches import is_waited_in_a_batch
from racehound.analysis.program import Program
from racehound.source.events import (
    CHANGES,
    SELF,
    Acquire,
    Call,
    Decision,
    Flow,
    Place,
    Release,
    Shape,
    Touch,
    Value,
)
from racehound.source.facts import ClassFacts, FunctionFacts

PLAIN = frozenset({"threading.Lock", "_thread.allocate_lock", "threading._allocate_lock"})
REENTRANT = frozenset({"threading.RLock", "threading.Condition", "threading._RLock", "_thread.RLock"})
CONDITIONS = frozenset({"threading.Condition"})
TASK_PLAIN = frozenset({"asyncio.Lock", "anyio.Lock", "trio.Lock"})
"""Locks between tasks, which no task can take twice."""
_DEPTH = 5
"""Calls of calls that are followed."""
FAR = 3
"""From so many calls on, what lies between decides whether the lock is taken at all."""


class Taking(NamedTuple):
    """A lock is taken, for as long as it takes."""

    lock: int
    function: FunctionFacts
    at: int
    """Where it is taken itself."""
    on_self: bool
    """On the same object as where the chain of calls began."""
    is_unsure: bool
    """On some paths only, and what decides it cannot be seen."""
    calls: int
    """Length of the chain of calls."""


class Takings:
    def __init__(self, program: Program, *, of_tasks: bool = False) -> None:
        self._program = program
        self._of_tasks = of_tasks
        self._plain = TASK_PLAIN if of_tasks else PLAIN
        self._known = TASK_PLAIN if of_tasks else PLAIN | REENTRANT
        self._direct: dict[FunctionFacts, list[Taking]] = {}
        self._all: dict[FunctionFacts, tuple[Taking, ...]] = {}
        self._open: set[FunctionFacts] = set()
        self.kinds: dict[int, frozenset[str]] = {}
        """What each lock was made as."""
        self.fixed: set[int] = set()
        """Locks of which there is only one: of a module, or of a class itself."""

    def direct(self, function: FunctionFacts) -> list[Taking]:
        if function not in self._direct:
            self._direct[function] = []  # a context manager that enters itself ends here
            self._direct[function] = list(self._find(function))
        return self._direct[function]

    def around(self, function: FunctionFacts) -> Iterator[Taking]:
        """What its decorators take before it begins."""
        for scope, value in self._program.locksets.around(function) if function.events else ():
            lock = self._lock(scope, value)
            if lock:
                on_self = value.place is not None and value.place.root == SELF
                yield Taking(lock, function, 0, on_self, is_unsure=False, calls=0)

    def learn_around(self, function: FunctionFacts) -> None:
        """What those locks were made as."""
        for scope, value in self._program.locksets.around(function):
            self._lock(scope, value)

    def _find(self, function: FunctionFacts) -> Iterator[Taking]:
        if Acquire not in function.holds:
            return
        unsure: list[bool] = []
        forks: list[int] = []
        tried = {index for item in function.attempts for index in (item.begin, item.begin + 1)}
        for index, event in enumerate(function.events):
            if event is Flow.FORK:
                decided = index > 0 and isinstance(function.events[index - 1], Decision)
                rounds = function.events[index + 1] is Flow.LOOP  # whoever enters a loop means it to run
                unsure.append(not decided and not rounds and index not in tried)
                forks.append(index)
            elif event is Flow.ALTERNATIVE:
                unsure[-1] = unsure[-1] or forks[-1] in tried  # a handler: who knows whether anything is raised
            elif event is Flow.JOIN:
                unsure.pop()
                forks.pop()
            elif isinstance(event, Acquire) and event.value.shape is Shape.PLACE and _waits(function, index):
                lock = self._lock(function, event.value)
                if lock and event.value.place is not None and not is_let_go_before(function, index):
                    yield Taking(lock, function, index, event.value.place.root == SELF, any(unsure), 0)
            elif isinstance(event, Acquire) and event.value.shape is Shape.CALL:
                yield from self._entered(function, index, event.value, is_unsure=any(unsure))

    def _entered(self, function: FunctionFacts, at: int, value: Value, *, is_unsure: bool) -> Iterator[Taking]:
        """What `with self._locked():` takes: the locks that the helper holds where it yields."""
        held = self._program.locksets.taken(function, value)
        helper = self._program.kinds.callee(function, value.place) if held and value.place is not None else None
        if not isinstance(helper, FunctionFacts) or value.place is None:
            return
        own = value.place.root == SELF and len(value.place.attributes) == 1
        for taking in self.direct(helper):
            if taking.lock & held:
                unsure = is_unsure or taking.is_unsure
                yield Taking(taking.lock, function, at, taking.on_self and own, unsure, 1)

    def _tried(self, function: FunctionFacts) -> int:
        """Locks that the function itself takes only if nobody holds them."""
        found = 0
        for index, event in enumerate(function.events) if Acquire in function.holds else ():
            if isinstance(event, Acquire) and not _waits(function, index):
                found |= self._lock(function, event.value)
        return found

    def _lock(self, function: FunctionFacts, value: Value) -> int:
        place = value.place
        kinds = frozenset(kind for kind in self.made_as(function, place) if isinstance(kind, str))
        if place is None or not kinds & self._known:
            return 0
        lock = self._program.locksets.taken(function, value)
        self.kinds[lock] = self.kinds.get(lock, frozenset()) | kinds
        if self._is_fixed(function, place):
            self.fixed.add(lock)
        return lock

    def made_as(self, function: FunctionFacts, place: Place | None) -> frozenset[object]:
        """What the place was made as; a Condition around a lock counts as that lock."""
        if place is None:
            return frozenset()
        found = self._kinds_of(function, place)
        if "threading.Condition" in found:
            inner = self._program.locks.wrapped(function, place)
            if inner is not None:
                return self.made_as(function, inner)
            return self._program.locks.made_within(function, place) or found
        return found

    def _kinds_of(self, function: FunctionFacts, place: Place) -> frozenset[object]:
        """Where only a constructor was given the object that has the lock, what it was given counts."""
        kinds = self._program.kinds
        found: frozenset[object] = frozenset(kinds.place(function, place))
        if found or len(place.attributes) < 2:
            return found
        holders = kinds.holders(function, Place(place.root, place.attributes[:-1]))
        return frozenset(kind for item in holders for kind in kinds.field(item, place.attributes[-1]))

    def _is_fixed(self, function: FunctionFacts, place: Place) -> bool:
        if place.root != SELF:
            return place.root not in function.bound and place.root not in function.parameters
        owner, name = function.owner, place.attributes[0]
        if owner is None or len(place.attributes) > 1:
            return False
        holders = self._program.hierarchy.linear(owner)
        written = any(name in self._program.kinds.written_names(item) for item in holders)
        return not written and any(
            name in item.attributes and not _is_made_for_each(item, name) for item in holders
        )

    def all(self, function: FunctionFacts, depth: int = _DEPTH) -> tuple[Taking, ...]:
        """What the function takes itself or through what it calls, the nearest first, each lock once."""
        if function in self._all:
            return self._all[function]
        if function in self._open or depth == 0:
            return ()
        self._open.add(function)
        found: dict[tuple[int, bool], Taking] = {}
        for taking in (*self.around(function), *self.direct(function)):
            found.setdefault((taking.lock, taking.on_self), taking)
        tried = self._tried(function)
        for _, call, target in self.calls(function):
            for taking in self.all(target, depth - 1):
                seen = self.through(call, taking)
                if seen.lock & tried:
                    continue  # it has asked before whether the lock is free
                known = found.get((seen.lock, seen.on_self))
                if known is None or (seen.is_unsure, seen.calls) < (known.is_unsure, known.calls):
                    found[seen.lock, seen.on_self] = seen
        self._open.discard(function)
        result = tuple(found.values())
        if depth == _DEPTH:
            self._all[function] = result
        return result

    def calls(self, function: FunctionFacts) -> Iterator[tuple[int, Call, FunctionFacts]]:
        """Calls that run before the function goes on: not those that start a thread."""
        for index, event in enumerate(function.events):
            if isinstance(event, Touch):
                yield from self._read(function, index, event)
            elif isinstance(event, Call) and event.callee is not None:
                target = self._program.calls.target(function, event)
                if target is not None and self._runs_here(function, index, target):
                    yield index, event, target

    def _read(
        self, function: FunctionFacts, index: int, touch: Touch
    ) -> Iterator[tuple[int, Call, FunctionFacts]]:
        """Reading `self.pending` runs the property of that name."""
        owner, place = function.owner, touch.place
        if place.root != SELF or owner is None or touch.action in CHANGES:
            return
        found = self._program.kinds.property_of(owner, place.attributes[0])
        if found is not None and found is not function and not self._of_tasks:
            callee = Place(SELF, place.attributes[:1])
            yield index, Call(callee, callee.attributes[0], None, (), (), touch.span, 0), found

    def _runs_here(self, function: FunctionFacts, index: int, target: FunctionFacts) -> bool:
        """A generator runs when it is asked, a coroutine when it is awaited: neither where it is called."""
        if self._of_tasks and target.is_async:
            return not is_generator(target) and any(
                is_waited(function, index)
                for is_waited in (is_awaited, is_awaited_with_others, is_waited_in_a_batch)
            )
        return not target.is_async and not is_generator(target)

    def through(self, call: Call, taking: Taking) -> Taking:
        own = call.callee is not None and call.callee.root == SELF and len(call.callee.attributes) == 1
        return taking._replace(on_self=taking.on_self and own, calls=taking.calls + 1)

    def is_plain(self, lock: int) -> bool:
        """True for a lock that its own holder cannot take again."""
        kinds = self.kinds.get(lock, frozenset())
        return bool(kinds & self._plain) and not kinds & REENTRANT

    def owners(self) -> Iterator[FunctionFacts]:
        """Functions of modules that know locks at all, or that enter something by its name."""
        if self._of_tasks:
            yield from (
                item for module in self._program.modules for item in module.functions if self._enters(item)
            )
            return
        if not self._program.lockers:
            self._program.lockers.extend(self._find_owners())
        yield from self._program.lockers

    def _enters(self, function: FunctionFacts) -> bool:
        return function.is_async and (_enters_a_place(function) or bool(self._program.locksets.around(function)))

    def _find_owners(self) -> Iterator[FunctionFacts]:
        for module in self._program.modules:
            if any(name.partition(".")[0] in {"threading", "_thread"} for name in module.imports.values()):
                yield from module.functions
            else:
                yield from (function for function in module.functions if _enters_a_place(function))


def _waits(function: FunctionFacts, index: int) -> bool:
    """False for `acquire(False)` and for one with a timeout."""
    call = function.events[index - 1] if index else None
    if not isinstance(call, Call) or call.method != "acquire":
        return True
    return not call.arguments and not call.keywords


def is_let_go_before(function: FunctionFacts, index: int) -> bool:
    """True where a function that is called with the lock gives it up for a while, and takes it back."""
    taken = function.events[index]
    value = taken.value if isinstance(taken, Acquire) else None
    for event in islice(function.events, index):
        if isinstance(event, Acquire | Release) and event.value == value:
            return isinstance(event, Release)
    return False


def _enters_a_place(function: FunctionFacts) -> bool:
    if Acquire not in function.holds:
        return False
    return any(isinstance(event, Acquire) and event.value.shape is Shape.PLACE for event in function.events)


def _is_made_for_each(owner: ClassFacts, name: str) -> bool:
    """True for `lock: Lock = field(default_factory=Lock)`, which each object has for itself."""
    return any(word in _FACTORIES for value in owner.attributes[name] for word, _ in value.keywords)


_FACTORIES = frozenset({"default_factory", "factory"})
