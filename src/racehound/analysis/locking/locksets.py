"""Locks that are certainly held, per event of a function.

A set of locks is an integer, one bit per lock; where paths meet, what all of them hold is held. What the callers
of a private method or function hold counts as held in it: the intersection over all of its callers.
"""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from racehound.analysis.locking.decorator_locks import Around, is_held_by_name, locks_around, made_for_it
from racehound.analysis.locking.keepers import Keepers
from racehound.analysis.locking.locks import LockId, Locks
from racehound.analysis.locking.optional_locks import optional_takings
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.private_functions import PrivateFunctions
from racehound.source.events import (
    SELF,
    Acquire,
    Action,
    Call,
    Decision,
    Flow,
    Pause,
    Place,
    Release,
    Shape,
    Touch,
    Value,
)
from racehound.source.facts import ClassFacts, FunctionFacts

CONSTRUCTORS = frozenset(
    {"__init__", "__new__", "__post_init__", "__setstate__", "__init_subclass__", "__set_name__"}
)
_INITIALISERS = re.compile(r"_*(init(ialize)?(_\w+)?|configure|set_?up|populate)")
_WHOLE = re.compile(r"_*(init(ialize)?|configure|set_?up|populate)")
"""Names that promise all of the making, not a part of it: others may call them when they need the object."""
_BY_NAME = "a lock by its name"
_HELD_BY_CALLER = ("_locked", "_unlocked", "_nolock", "_no_lock", "_lock_held")
_EVERYTHING = -1
"""All bits: the neutral element of intersection."""


_TAKING = frozenset({Acquire, Release})


@dataclass(slots=True)
class _State:
    held: int
    left: bool = False


class Locksets:
    def __init__(self, locks: Locks, calls: Calls, hierarchy: Hierarchy) -> None:
        self._locks = locks
        self._calls = calls
        self._hierarchy = hierarchy
        self._private = PrivateFunctions(hierarchy.modules, calls)
        self._keepers = Keepers(hierarchy, calls)
        self._bits: dict[LockId, int] = {}
        self._named: dict[int, LockId] = {}
        """The inverse."""
        self._held: dict[FunctionFacts, list[int]] = {}
        self._entries: dict[FunctionFacts, int] = {}
        self._callers: dict[ClassFacts, dict[FunctionFacts, list[tuple[FunctionFacts, int]] | None]] = {}
        self._sections: dict[FunctionFacts, int] = {}
        self._own_calls: dict[ClassFacts, dict[str, list[tuple[FunctionFacts, int]]]] = {}
        self._named_on_self: dict[FunctionFacts, list[tuple[int, str, bool]]] = {}

    def at(self, function: FunctionFacts, index: int) -> int:
        """What is held when the event happens."""
        return self.within(function)[index] | self.entry(function)

    def own_calls(self, owner: ClassFacts) -> dict[str, list[tuple[FunctionFacts, int]]]:
        """Where the functions of a class call each of its methods, by the name of the method."""
        if owner not in self._own_calls:
            found: dict[str, list[tuple[FunctionFacts, int]]] = {}
            properties = self._properties(owner)
            for caller in self._hierarchy.effective(owner):
                for index, name, is_call in self._on_self(caller):
                    if is_call or name in properties:
                        found.setdefault(name, []).append((caller, index))
            self._own_calls[owner] = found
        return self._own_calls[owner]

    def _on_self(self, function: FunctionFacts) -> list[tuple[int, str, bool]]:
        """What it calls on its own object, and which attributes of it it uses; derived classes ask again."""
        if function not in self._named_on_self:
            found: list[tuple[int, str, bool]] = []
            for index, event in enumerate(function.events):
                if type(event) is Call:
                    if event.callee is not None and event.callee.root == SELF:
                        found.append((index, ".".join(event.callee.attributes), True))
                elif type(event) is Touch and event.place.root == SELF and len(event.place.attributes) == 1:
                    found.append((index, event.place.attributes[0], False))
            self._named_on_self[function] = found
        return self._named_on_self[function]

    def _properties(self, owner: ClassFacts) -> set[str]:
        """Names such as `client` where reading `self.client` runs a function."""
        methods: dict[str, FunctionFacts] = {}
        for item in reversed(self._hierarchy.linear(owner)):
            methods.update(item.methods)
        return {
            name
            for name, method in methods.items()
            if any((item.attributes or (item.root,))[-1] == "property" for item in method.decorators)
        }

    def named(self, held: int) -> tuple[LockId, ...]:
        held &= (1 << len(self._bits)) - 1
        found = []
        while held:
            lowest = held & -held
            found.append(self._named[lowest])
            held ^= lowest
        return tuple(found)

    def within(self, function: FunctionFacts) -> list[int]:
        """What the function itself took, per event."""
        if function not in self._held:
            self._held[function] = []  # a context manager that enters itself ends here
            self._held[function] = self._run(function)
        return self._held[function]

    def _run(self, function: FunctionFacts) -> list[int]:
        kept = self._keepers.calls(function)
        if function.holds.isdisjoint(_TAKING) and not kept:
            return [self._agreed(function)] * len(function.events)
        reentered = self._reentered(function)
        state = _State(self._agreed(function) | self._handed_in(function) | reentered)
        forks: list[tuple[_State, list[_State]]] = []
        held: list[int] = []
        optional = optional_takings(function)
        for index, event in enumerate(function.events):
            held.append(state.held)
            if index in kept:
                helper, taken, given = kept[index]
                state.held |= self._all(helper, taken)
                state.held &= ~self._all(helper, given)
            elif isinstance(event, Acquire):
                state.held |= self.taken(function, event.value)
            elif isinstance(event, Release):
                by_hand = index > 0 and isinstance(function.events[index - 1], Call)
                state.held &= ~self.taken(function, event.value) | (0 if by_hand else reentered)
            elif isinstance(event, Flow):
                state = _follow(event, state, forks)
                state.held |= self.taken(function, optional[index]) if index in optional else 0
        return held

    def kept(self, function: FunctionFacts) -> dict[int, tuple[int, int]]:
        """By the index of a call: the locks that the helper returns with, and those that it gives back."""
        calls = self._keepers.calls(function)
        return {
            index: (self._all(item.helper, item.taken), self._all(item.helper, item.given))
            for index, item in calls.items()
        }

    def _all(self, function: FunctionFacts, values: tuple[Value, ...]) -> int:
        held = 0
        for value in values:
            held |= self.taken(function, value)
        return held

    def _agreed(self, function: FunctionFacts) -> int:
        """`@synchronized` and names like `_flush_unlocked` speak of a lock that cannot be seen from here."""
        if function.decorators and (held := self._held_around(function)):
            return held
        for place in function.decorators:
            name = (place.attributes or (place.root,))[-1].lower()
            if "synchron" in name or "lock" in name:
                return self._bit(LockId(f"{function.module.path}::@", str(place)))
        if function.name.endswith(_HELD_BY_CALLER):
            return self._bit(LockId(f"{function.module.path}::@", function.name))
        return self._asserted(function)

    def around(self, function: FunctionFacts) -> tuple[Around, ...]:
        """Locks that decorators hold while it runs, as far as it is known which they are."""
        return tuple(locks_around(self._calls.kinds, function)) if function.decorators else ()

    def _held_around(self, function: FunctionFacts) -> int:
        held = 0
        for scope, value in self.around(function):
            held |= self.taken(scope, value)
        for scope, value in made_for_it(self._calls.kinds, function):
            if self.taken(scope, value):
                held |= self._bit(LockId(f"{function}::@", str(value.place)))
        if not held and is_held_by_name(self._calls.kinds, function):
            return self._bit(LockId(f"{function.module.path}::@", _BY_NAME))
        return held

    def _asserted(self, function: FunctionFacts) -> int:
        """`assert self._lock.locked()`: the caller holds it; where it decides something, it is a question."""
        held = 0
        for index, event in function.calls_of("locked") if "locked" in function.module.callers else ():
            if event.receiver is not None:
                asked = any(isinstance(item, Decision) and index in item.sources for item in function.events)
                held |= 0 if asked else self.taken(function, event.receiver)
        return held

    def _handed_in(self, function: FunctionFacts) -> int:
        """Locks that the function releases before it takes them: its caller took them."""
        taken = given = 0
        for event in function.events:
            if isinstance(event, Acquire):
                taken |= self.taken(function, event.value)
            elif isinstance(event, Release):
                given |= self.taken(function, event.value) & ~taken
        return given

    def _reentered(self, function: FunctionFacts) -> int:
        """Locks that a `with` takes and gives back, and that are released by hand outside of it: the caller's."""
        inside = by_hand = given = 0
        for index, event in enumerate(function.events):
            if isinstance(event, Acquire | Release):
                lock = self.taken(function, event.value)
                if index == 0 or not isinstance(function.events[index - 1], Call):
                    inside = inside | lock if isinstance(event, Acquire) else inside & ~lock
                elif isinstance(event, Acquire):
                    by_hand |= lock
                else:
                    given |= lock & ~inside
        return given & ~by_hand

    def taken(self, function: FunctionFacts, value: Value) -> int:
        """The lock, as a bit, that entering or acquiring the value takes."""
        if value.place is None:
            return 0
        if value.shape is Shape.PLACE:
            lock = self._locks.identify(function, value.place)
            return 0 if lock is None else self._bit(lock)
        return self._entered(function, value) if value.shape is Shape.CALL else 0

    def _entered(self, function: FunctionFacts, value: Value) -> int:
        """What `with self._locked():` holds: what the helper holds where it yields."""
        call = Call(value.place, "", None, value.arguments, value.keywords, function.span, 0)
        helper = self._calls.target(function, call)
        if helper is not None and (section := self._section(helper)):
            return section
        name = "" if value.place is None else (value.place.attributes or (value.place.root,))[-1]
        if "lock" in name.lower() and not name.endswith("Lock"):
            return self._bit(LockId(function.module.path, f"{value.place}()"))
        return 0

    def _section(self, helper: FunctionFacts) -> int:
        if helper not in self._sections:
            held = self.within(helper)
            numbered = enumerate(helper.events)
            pauses = [index for index, event in numbered if isinstance(event, Pause) and event.yields]
            self._sections[helper] = held[pauses[0]] if pauses and held else 0
        return self._sections[helper]

    def _bit(self, lock: LockId) -> int:
        if lock not in self._bits:
            self._bits[lock] = 1 << len(self._bits)
            self._named[self._bits[lock]] = lock
        return self._bits[lock]

    def entry(self, function: FunctionFacts) -> int:
        """What every caller holds when the function starts; nothing unless all callers are known."""
        if function not in self._entries:
            self._settle(function)
        return self._entries[function]

    def _settle(self, function: FunctionFacts) -> None:
        """Greatest fixed point over the private functions of a class family, or of a module."""
        if function.owner is None:
            module = function.module
            self._entries.update((item, 0) for item in module.functions if item.owner is None)
            self._intersect(dict(self._private.callers(module)))
            return
        callers = self.callers(function.owner)
        if function not in callers:
            self._entries[function] = 0
            return
        self._intersect(callers)

    def _intersect(self, callers: Mapping[FunctionFacts, list[tuple[FunctionFacts, int]] | None]) -> None:
        entries = {item: _EVERYTHING if calls else 0 for item, calls in callers.items()}
        changed = True
        while changed:
            changed = False
            for item, calls in callers.items():
                value = entries[item]
                for caller, index in calls or ():
                    if not is_constructor(caller):  # nobody else can be there yet
                        held = entries[caller] if caller in entries else self.entry(caller)
                        value &= self.within(caller)[index] | held
                changed |= value != entries[item]
                entries[item] = value
        settled = {item: 0 if value == _EVERYTHING else value for item, value in entries.items()}
        self._entries.update(settled)

    def callers(self, owner: ClassFacts) -> dict[FunctionFacts, list[tuple[FunctionFacts, int]] | None]:
        """Calls of each private or nested function of the class family; None where it is also used as a value."""
        if owner not in self._callers:
            family = self._hierarchy.family(owner)
            found = self._collect([item for member in family for item in self._hierarchy.functions(member)])
            self._callers.update(dict.fromkeys(family, found))
        return self._callers[owner]

    def _collect(
        self, functions: list[FunctionFacts]
    ) -> dict[FunctionFacts, list[tuple[FunctionFacts, int]] | None]:
        found: dict[FunctionFacts, list[tuple[FunctionFacts, int]] | None] = {
            item: [] for item in functions if is_private(item)
        }
        names: dict[str, list[FunctionFacts]] = {}
        for item in found:
            names.setdefault(item.name, []).append(item)
        for function in functions:
            for index, event in enumerate(function.events):
                if type(event) is Call:
                    if _mentions(event, names):
                        self._count(found, names, function, (index, event))
                elif type(event) is Touch and event.place.root == SELF and function.owner is not None:
                    name = event.place.attributes[0]
                    method = self._hierarchy.method(function.owner, name) if name in names else None
                    if method is not None and method in found and not self._is_argument(function, index, event):
                        found[method] = None
        return found

    def _count(
        self,
        found: dict[FunctionFacts, list[tuple[FunctionFacts, int]] | None],
        names: Mapping[str, list[FunctionFacts]],
        caller: FunctionFacts,
        numbered: tuple[int, Call],
    ) -> None:
        index, call = numbered
        spawned = self._calls.spawn(caller, call) is not None or _is_made_a_task(caller, index)
        target = self._calls.target(caller, call)
        given = [item for _, item in self._calls.handed_over(caller, call)]
        later = given if call.method == "partial" or self._calls.is_kept(caller, call) else ()
        for function in (target, *self._overrides(names, caller, call, target), *given):
            if function is None or found.get(function) is None:
                continue
            if spawned or function in later:
                found[function] = None
            else:
                found[function].append((caller, index))  # type: ignore[union-attr]  # checked above

    def _overrides(
        self,
        names: Mapping[str, list[FunctionFacts]],
        caller: FunctionFacts,
        call: Call,
        target: FunctionFacts | None,
    ) -> Iterator[FunctionFacts]:
        """What `self._step()` runs where the object is of a class derived from the one that says so."""
        if target is None or call.callee is None or call.callee.root != SELF or caller.owner is None:
            return
        for item in names.get(target.name, ()):
            if item is not target and item.owner is not None:
                bases = self._hierarchy.linear(item.owner)
                if target.owner in bases and caller.owner in bases:
                    yield item

    def _is_argument(self, function: FunctionFacts, index: int, touch: Touch) -> bool:
        """True if the method is named as an argument of the call that follows."""
        for event in function.events[index + 1 : index + 12]:
            if isinstance(event, Call):
                given = (*event.arguments, *(value for _, value in event.keywords))
                if any(value.place == touch.place for value in given):
                    return True
        return False


def _is_made_a_task(caller: FunctionFacts, index: int) -> bool:
    """True for `create_task(self._work())`: what runs there holds nothing of what its maker holds."""
    made = caller.events[index]
    following = next((event for event in caller.events[index + 1 :] if isinstance(event, Call)), None)
    if not isinstance(made, Call) or following is None or following.method not in _TASK_MAKERS:
        return False
    return following.span[:2] <= made.span[:2] <= following.span[2:]


_TASK_MAKERS = frozenset({"create_task", "ensure_future", "start_soon", "run_coroutine_threadsafe"})


def _mentions(call: Call, names: Container[str]) -> bool:
    """A cheap look before names are resolved."""
    if call.method in names:
        return True
    for value in call.arguments:
        if _is_named(value, names):
            return True
    return bool(call.keywords) and any(_is_named(value, names) for _, value in call.keywords)


def _is_named(value: Value, names: Container[str]) -> bool:
    if value.shape is Shape.FUNCTION:
        return True
    place = value.place
    return place is not None and (place.attributes[-1] if place.attributes else place.root) in names


def is_constructor(function: FunctionFacts) -> bool:
    """Also what is called so without being one: `_init_state`, `initialize`."""
    if not function.is_method:
        return False
    if function.name in CONSTRUCTORS:
        return True
    if _INITIALISERS.fullmatch(function.name) is None:
        return False
    return _WHOLE.fullmatch(function.name) is None or not _asks_first(function)


def _asks_first(function: FunctionFacts) -> bool:
    """True for `if self._ready: return`: whoever needs it calls it, so it runs when others have the object."""
    asked: set[Place] = set()
    for event in function.events:
        if isinstance(event, Touch):
            if event.action is Action.CHECK:
                asked.add(event.place)
            elif event.action is Action.WRITE and event.place in asked:
                return True
    return False


def is_private(function: FunctionFacts) -> bool:
    """Called by its own class alone, as its name says; a nested function is called by its method alone."""
    if not function.is_method:
        return True
    name = function.name
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _follow(flow: Flow, state: _State, forks: list[tuple[_State, list[_State]]]) -> _State:
    if flow is Flow.FORK:
        forks.append((_State(state.held, state.left), []))
    elif flow is Flow.LEAVE:
        state.left = True
    elif flow is Flow.ALTERNATIVE:
        start, ends = forks[-1]
        ends.append(state)
        return _State(start.held, start.left)
    elif flow is Flow.JOIN:
        _, ends = forks.pop()
        return _joined([*ends, state])
    return state


def _joined(ends: list[_State]) -> _State:
    """Paths that left do not come here; where all left, what follows is a `finally` block or dead."""
    going = [end for end in ends if not end.left] or ends
    held = _EVERYTHING
    for end in going:
        held &= end.held
    return _State(held, going[0].left)
