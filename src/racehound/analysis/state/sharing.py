"""Which classes are shared between threads, and which of their functions may overlap."""

import re
from dataclasses import dataclass

from racehound.analysis.locking.locks import Locks
from racehound.analysis.meaning.hierarchy import Hierarchy, outer_method
from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.contexts import Contexts
from racehound.analysis.threads.served import IN_TURN
from racehound.source.facts import ClassFacts, FunctionFacts

_PER_THREAD = frozenset({"threading.local", "_thread._local"})
_GENERAL = re.compile(
    r"_*((r|re|thread|threading|state|internal|instance|data|main|global)_?)?"
    r"(locks?|mutex|cond|condition|cv|sem|semaphore|guard|monitor)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """Why a class counts as shared: at least one of these is there."""

    locks: tuple[str, ...]
    claims: bool
    reached: bool
    is_guarded: bool = False
    """A lock of the module is held where a method changes the object."""

    @property
    def has_general_lock(self) -> bool:
        """A lock whose name does not say that it is for something in particular."""
        return any(_GENERAL.fullmatch(name) for name in self.locks)

    @property
    def is_meant(self) -> bool:
        """The author says that threads share it: any two of its methods may overlap."""
        return bool(self.locks) or self.claims or self.is_guarded


def _claims_safety(bases: tuple[ClassFacts, ...]) -> bool:
    """A class that has a hand in every access to its methods may take its lock there, for all of them."""
    if any("__getattribute__" in base.methods for base in bases):
        return False
    return any(base.claims_thread_safety for base in bases)


class Shared:
    def __init__(
        self, hierarchy: Hierarchy, locks: Locks, contexts: Contexts, changed_outside: frozenset[ClassFacts]
    ) -> None:
        self._hierarchy = hierarchy
        self._locks = locks
        self._contexts = contexts
        self._changed_outside = changed_outside
        """Classes whose objects functions in threads use by attribute."""
        self._known: dict[ClassFacts, Sharing | None] = {}

    def why(self, item: ClassFacts) -> Sharing | None:
        if item not in self._known:
            self._known[item] = self._decide(item)
        return self._known[item]

    def _decide(self, item: ClassFacts) -> Sharing | None:
        if not _PER_THREAD.isdisjoint(self._hierarchy.outside_bases(item)):
            return None
        bases = self._hierarchy.linear(item)
        reached = not self._contexts.shared_owners.isdisjoint(bases) and any(
            map(self._contexts.is_on_shared_self, self._hierarchy.effective(item))
        )
        reached = reached or not self._changed_outside.isdisjoint(bases)
        sharing = Sharing(
            locks=self._locks.owned(item),
            claims=_claims_safety(bases),
            reached=reached,
            is_guarded=any(map(self._locks.guards_own_state, bases)),
        )
        return sharing if sharing.is_meant or reached else None

    def contexts(self, function: FunctionFacts) -> tuple[Context, ...]:
        """Where a method runs on a shared instance."""
        return self._contexts.on_shared_self(function)

    def describe(self, function: FunctionFacts, other: FunctionFacts | None = None) -> str:
        """Where a function runs; as far as that is known, somewhere else than the other one."""
        mine, theirs = self._known_of(function), () if other is None else self._known_of(other)[:1]
        apart = [context for context in mine if context not in theirs] or list(mine)
        if apart:
            return str(apart[0])
        end = None if other is None else self._contexts.exits.meeting(function, other, on_object=False)
        if end is not None:
            return str(end)
        if function.is_module_body:
            return "any thread that imports the module"
        who = "task that awaits" if outer_method(function).is_async else "thread that calls"
        return f"any {who} `{outer_method(function).name}`"

    def _known_of(self, function: FunctionFacts) -> tuple[Context, ...]:
        contexts = self._contexts.on_shared_self(function) if function.owner else self._contexts.all(function)
        return (*contexts, *sorted({item.context for item in self._contexts.beside(function)}))

    def may_overlap(self, sharing: Sharing, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if two functions, or one twice, may run at once on the same instance."""
        if sharing.is_meant:
            return True
        ours, theirs = self.contexts(first), self.contexts(second)
        if self._are_of_siblings(first, ours, theirs):
            return False
        if any(context.many for context in (*ours, *theirs) if context in ours and context in theirs):
            return True
        if set(ours) == set(theirs):
            apart = len(ours) > 1 and self._contexts.are_two_threads(first)
            return apart and self._is_started_by_itself(first, ours)
        return first is not second

    def _are_of_siblings(
        self, function: FunctionFacts, ours: tuple[Context, ...], theirs: tuple[Context, ...]
    ) -> bool:
        """True if each kind of object starts one of the threads, and no object is of both kinds."""
        if function.owner is None or len({*ours, *theirs}) < 2:
            return False
        return bool(ours and theirs) and self._are_one_by_one(function, ours, theirs)

    def _are_one_by_one(
        self, function: FunctionFacts, ours: tuple[Context, ...], theirs: tuple[Context, ...]
    ) -> bool:
        """True if the two run in one and the same thread, whatever object it is."""
        pairs = self._of_one_object(function, ours, theirs)
        return all(one == other and not one.many for one, other in pairs)

    def _of_one_object(
        self, function: FunctionFacts, ours: tuple[Context, ...], theirs: tuple[Context, ...]
    ) -> list[tuple[Context, Context]]:
        """The pairs but those of two kinds of objects, for no object is of both, and those that run in turn."""
        pairs = [
            (one, other)
            for one in ours
            for other in theirs
            if one == other or one.what != other.what or one.what not in IN_TURN
        ]
        if function.owner is None or len({*ours, *theirs}) < 2:
            return pairs
        family = {str(item): item for item in self._hierarchy.family(function.owner)}
        return [
            (one, other)
            for one, other in pairs
            if not self._are_siblings(family.get(one.starter), family.get(other.starter))
        ]

    def _are_siblings(self, one: ClassFacts | None, other: ClassFacts | None) -> bool:
        if one is None or other is None:
            return False
        lines = map(self._hierarchy.linear, self._hierarchy.family(one))
        return not any(one in line and other in line for line in lines)

    def _is_started_by_itself(self, function: FunctionFacts, contexts: tuple[Context, ...]) -> bool:
        """True if each object starts one of the threads: whoever comes to it in another one meets that."""
        family = self._hierarchy.family(function.owner) if function.owner is not None else ()
        own = {str(item) for item in family}
        return any(context.starter in own for context in contexts)

    def is_own_thread(self, owner: ClassFacts, *functions: FunctionFacts) -> bool:
        """True if the class itself starts the thread that one of its functions runs in, and another does not.

        A thread that its starter waits for says nothing of functions that run before and after it. Where the class
        only makes the thread and gives itself away, a callback of it may run there as well.
        """
        known = [self.contexts(item) for item in functions]
        if len(set(known)) == 1 and known[0] and self._are_one_by_one(functions[0], known[0], known[0]):
            return False  # as far as can be seen, all of them run there, one after the other
        beside = {context for item in functions for context in self._contexts.started_within(outer_method(item))}
        starters = {
            context.starter
            for contexts in known
            for context in contexts
            if context.starter and (context in beside or not context.is_awaited)
        }
        if not any(item.name.lstrip("_").startswith("on_") for item in functions):
            starters.update(*(self._contexts.makers.get(name, ()) for name in tuple(starters)))
        return bool(starters) and any(str(item) in starters for item in self._hierarchy.family(owner))

    def is_resolved(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if both contexts are known, not only meant, and are not one and the same thread."""
        ours, theirs = self.contexts(first), self.contexts(second)
        return any(one != other or one.many for one, other in self._of_one_object(first, ours, theirs))
