"""Who can meet whom, and how sure that is: for the fields of a class and for the variables of a module."""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TypeAlias

from racehound.analysis.event_loops.loops_of_others import is_on_foreign_loop
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.locking.outer_locks import is_taken_outside
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.wrappers import is_handed_out, is_made_method
from racehound.analysis.program import Program
from racehound.analysis.state.discipline import most_common
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.guarding import is_guarded, is_guarded_in_a_corner
from racehound.analysis.state.module_meeting import are_claimed, doubt_of_caller, is_for_others, is_kept_under_lock
from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.at_exit import are_over_at_exit, met_at_exit
from racehound.analysis.threads.beginnings import is_start_of
from racehound.analysis.threads.holders import Holders
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.source.events import SELF, Flow
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_FEW, _THIRD, _HALF = 2, 3, 2
"""Where more than a few methods change something, one in three must take the lock to make it that of the class."""


class _Share(Enum):
    """A lock that is taken in one corner only is no guard of all the rest."""

    CORNER = "few"
    SOME = "some"
    MOST = "most, or the class is small, or none does"


def _share(locking: int, changing: int) -> _Share:
    if changing <= _FEW or _HALF * locking >= changing:
        return _Share.MOST
    return _Share.SOME if _THIRD * locking >= changing else _Share.CORNER


Owner: TypeAlias = ClassFacts | ModuleFacts


class Meetings:
    """Everything here asks one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._holders = Holders(program)
        self._confined: dict[FunctionFacts, Context | None] = {}
        self._for_loops = program.for_loops
        self._guarded = program.guarded
        self._cornered = program.cornered

    def owners(self) -> Iterator[Owner]:
        """Classes that threads share, and all modules."""
        for owner in self._program.hierarchy.classes:
            if self._program.shared.why(owner) is not None:
                yield owner
        yield from self._program.modules

    def fields(self, owner: Owner) -> dict[str, list[Use]]:
        fields = self._program.fields
        return fields.of_class(owner) if isinstance(owner, ClassFacts) else fields.of_module(owner)

    def own_fields(self, owner: Owner) -> list[tuple[str, list[Use]]]:
        """Those with a use that is not inherited from a base class, which would be accused there."""
        known = self._program.own_fields
        if owner not in known:
            known[owner] = [
                (name, uses)
                for name, uses in self.fields(owner).items()
                if not isinstance(owner, ClassFacts) or not self.are_inherited(owner, *uses)
            ]
        return known[owner]

    def are_inherited(self, owner: Owner, *uses: Use) -> bool:
        """True if a base class that is shared by itself has all the uses: they are accused there."""
        homes = {use.function.owner for use in uses}
        return all(home is not None and self._is_judged_at(home, owner) for home in homes)

    def _is_judged_at(self, base: ClassFacts, owner: Owner) -> bool:
        if base is owner or not isinstance(owner, ClassFacts):
            return False
        return base in self._program.hierarchy.linear(owner) and self._program.shared.why(base) is not None

    def may_meet_at(self, owner: Owner, uses: list[Use], first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if two may be at this field at once; the lock that others hold for it says so of a variable."""
        if self.may_meet(owner, first, second):
            return True
        return isinstance(owner, ModuleFacts) and is_kept_under_lock(self._program, owner, uses, first, second)

    def may_meet(self, owner: Owner, first: FunctionFacts, second: FunctionFacts) -> bool:
        if self._met_at_exit(owner, first, second):
            return True
        if isinstance(owner, ClassFacts):
            if self._are_on_one_loop(first, second) or self._are_one_thread(first, second):
                return False
            if self._is_outside(owner, first) or self._is_outside(owner, second):
                return self._are_in_one_crowd(first, second)  # which object it is, only the starter knows
            sharing = self._program.shared.why(owner)
            if sharing is not None and self._program.shared.may_overlap(sharing, first, second):
                return True
            return self._are_beside(owner, first, second)
        ours, theirs = (set(self._program.contexts.all(item)) for item in (first, second))
        if self._are_in_one_crowd(first, second) or self._are_beside(owner, first, second):
            return True
        if are_claimed(owner, first, second):
            return True
        if first is second:
            return self._program.contexts.are_two_threads(first)
        return bool(ours or theirs) and ours != theirs

    def are_known_apart(self, owner: Owner, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if two threads are seen: both are known, or one starts the other, or a field leads to both."""
        if self._program.shared.is_resolved(first, second) or self._are_beside(owner, first, second):
            return True
        return self._holders.have_both(first, second)

    def _are_beside(self, owner: Owner, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if one is in a thread and the other in the one that has started it, which goes on meanwhile."""
        return self._is_beside(owner, first, second) or self._is_beside(owner, second, first)

    def _is_beside(self, owner: Owner, starter: FunctionFacts, other: FunctionFacts) -> bool:
        begun, running = self._program.contexts.beside(starter), self._program.contexts.of(other)
        if not begun or not running:
            return False
        on_object = isinstance(owner, ClassFacts)
        ours, theirs = (
            {item.context for item in activations if SELF in item.shared or not on_object}
            for activations in (begun, running)
        )
        return any(is_start_of(one, other) for one in ours for other in theirs)

    def _is_outside(self, owner: ClassFacts, function: FunctionFacts) -> bool:
        return function.owner is None or not self._program.hierarchy.are_related(owner, function.owner)

    def _are_in_one_crowd(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if both belong to work that runs several times at once."""
        ours, theirs = (self._program.contexts.all(item) for item in (first, second))
        return any(context.many and context in theirs for context in ours)

    def confined(self, function: FunctionFacts) -> Context | None:
        """The one thread that a private function runs in, where nothing else calls it."""
        if function not in self._confined:
            self._confined[function] = None  # functions that call each other add nothing
            self._confined[function] = self._decide(function)
        return self._confined[function]

    def _decide(self, function: FunctionFacts) -> Context | None:
        contexts = self._program.contexts.all(function)
        owner = function.owner
        if len(contexts) != 1 or contexts[0].many or owner is None:
            return None
        if function.name == "run":
            return contexts[0]
        callers = self._program.locksets.callers(owner).get(function, ())
        if callers == ():
            return None  # public: anybody may call it
        same = all(self.confined(caller) == contexts[0] for caller, _ in callers or ())
        return contexts[0] if same else None

    def _are_on_one_loop(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """Coroutines that no thread is known to run switch at their awaits alone, which is another matter."""
        return all(item.is_async and not self._program.contexts.of(item) for item in (first, second))

    def _are_one_thread(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        thread = self.confined(first)
        return thread is not None and thread == self.confined(second)

    def doubt_of_sharing(self, owner: ClassFacts, *functions: FunctionFacts) -> MeetingDoubt | None:
        """Why nothing says that several threads have the same object, though its class knows locks."""
        if any(self._program.contexts.of(function) for function in functions):
            return None
        if self._is_for_a_loop(owner):
            return MeetingDoubt.LOOP_CLASS
        return MeetingDoubt.CLASS_LOCKS if self._has_only_class_locks(owner) else None

    def are_awaited_steps(self, owner: ClassFacts, *functions: FunctionFacts) -> bool:
        """True if coroutines of the object await all that runs beside, and nothing says that two tasks have it."""
        contexts = {context for item in functions for context in self._program.contexts.all(item)}
        if not contexts or not all(context.is_step for context in contexts):
            return False
        sharing = self._program.shared.why(owner)
        if sharing is not None and sharing.is_meant:
            return False
        coroutines = (item for item in self._program.hierarchy.effective(owner) if item.is_async)
        tasks = any(self._program.tasks.on_shared_self(item) for item in coroutines)
        return not tasks and not self._program.per_call.is_lasting(owner)

    def is_of_one_call(self, owner: ClassFacts, *functions: FunctionFacts) -> bool:
        """True if all that runs beside is what the object itself hands to a pool, which it does step by step."""
        contexts = {context for item in functions for context in self._program.contexts.all(item)}
        if not contexts or not all(context.many for context in contexts):
            return False
        family = {str(item) for item in self._program.hierarchy.family(owner)}
        own = all(context.starter in family for context in contexts)
        return own and self._program.per_call.is_made(owner) and not self._runs_as_tasks(owner)

    def _runs_as_tasks(self, owner: ClassFacts) -> bool:
        """True if several tasks have the object, and each of them may hand something to the pool."""
        coroutines = (method for method in owner.methods.values() if method.is_async)
        return any(context.many for item in coroutines for context in self._program.tasks.on_shared_self(item))

    def are_called_on_loops(self, *functions: FunctionFacts) -> bool:
        """True if all that the program has to call them with are coroutines, and classes of coroutines."""
        if any(self._program.contexts.of(item) for item in functions):
            return self._are_on_loop_of_thread(*functions)
        return all(self._is_called_on_loops(outer_method(item)) for item in functions)

    def _are_on_loop_of_thread(self, *functions: FunctionFacts) -> bool:
        """True if a thread is known for one of them only, and coroutines run both: it is that of their loop."""
        known = [self._program.contexts.all(item) for item in functions]
        if all(known) or any(context.many for contexts in known for context in contexts):
            return False
        return all(item.is_async or self._is_run_by_coroutines(item) for item in functions)

    def _is_run_by_coroutines(self, function: FunctionFacts) -> bool:
        callers = self._program.mentions.callers(function)
        return bool(callers) and all(caller.is_async for caller in callers)

    def _is_called_on_loops(self, function: FunctionFacts) -> bool:
        if function not in self._program.called_on_loops:
            self._program.called_on_loops[function] = False  # functions that call each other add nothing
            callers = [item for item in self._program.mentions.callers(function) if not is_constructor(item)]
            scheduled = self._program.mentions.is_scheduled(function)
            on_loops = (bool(callers) or scheduled) and all(map(self._is_on_loop, callers))
            self._program.called_on_loops[function] = on_loops
        return self._program.called_on_loops[function]

    def _is_on_loop(self, caller: FunctionFacts) -> bool:
        if caller.is_async or (caller.owner is not None and self._has_coroutines_below(caller.owner)):
            return True
        return not caller.is_module_body and self._is_called_on_loops(outer_method(caller))

    def _has_coroutines_below(self, owner: ClassFacts) -> bool:
        """True for a class of coroutines, and for the base of one."""
        hierarchy = self._program.hierarchy
        derived = (item for item in hierarchy.family(owner) if owner in hierarchy.linear(item))
        return any(map(self._is_for_a_loop, derived))

    def _is_for_a_loop(self, owner: ClassFacts) -> bool:
        """A class of coroutines, whose plain methods run between them, as far as can be seen."""
        if owner not in self._for_loops:
            functions = [item for base in self._program.hierarchy.linear(owner) for item in base.methods.values()]
            coroutines = sum(item.is_async for item in functions)
            self._for_loops[owner] = coroutines > 1 or is_on_foreign_loop(self._program.hierarchy, owner)
        return self._for_loops[owner]

    def _is_guarded(self, uses: list[Use]) -> bool:
        if id(uses) not in self._guarded:
            self._guarded[id(uses)] = uses, is_guarded(uses)
        return self._guarded[id(uses)][1]

    def _is_guarded_in_a_corner(self, owner: ClassFacts, uses: list[Use]) -> bool:
        if id(uses) not in self._cornered:
            others = (each for each in self.fields(owner).values() if each is not uses)
            self._cornered[id(uses)] = uses, is_guarded_in_a_corner(uses, others)
        return self._cornered[id(uses)][1]

    def _has_only_class_locks(self, owner: ClassFacts) -> bool:
        """A lock of the class itself guards what all objects share, and says nothing about each of them."""
        known = self._program.class_locks
        if owner not in known:
            known[owner] = self._find_only_class_locks(owner)
        return known[owner]

    def _find_only_class_locks(self, owner: ClassFacts) -> bool:
        sharing = self._program.shared.why(owner)
        if sharing is None or sharing.claims or not sharing.locks:
            return False
        bases = self._program.hierarchy.linear(owner)
        return not any(name in self._program.kinds.written_names(base) for base in bases for name in sharing.locks)

    def _is_settled(self, owner: ClassFacts, uses: list[Use]) -> bool:
        """Whatever its class leaves open, this field belongs to all, or is changed under a lock of the class."""
        return self._is_on_class(owner, uses) or (not self._is_for_a_loop(owner) and self._is_guarded(uses))

    def _is_on_class(self, owner: ClassFacts, uses: list[Use]) -> bool:
        names = {use.touch.place.attributes[0] for use in uses if use.touch.place.attributes}
        bases = self._program.hierarchy.linear(owner)
        written = any(name in self._program.kinds.written_names(base) for base in bases for name in names)
        return not written or any(use.touch.place.root == owner.name for use in uses)

    def certainty(self, owner: Owner, first: FunctionFacts, second: FunctionFacts, uses: list[Use]) -> Sureness:
        """Certain where both contexts are known; likely where the author means the object to be shared."""
        if are_over_at_exit(self._program, first, second):
            return MeetingDoubt.OVER_AT_EXIT.possible
        sure = self._certainty(owner, first, second, uses)
        if sure.is_possible and self._met_at_exit(owner, first, second):
            return MeetingDoubt.AT_EXIT.likely
        return sure

    def _met_at_exit(self, owner: Owner, first: FunctionFacts, second: FunctionFacts) -> bool:
        on_object = isinstance(owner, ClassFacts)
        return met_at_exit(self._program, first, second, on_object=on_object) is not None

    def _certainty(self, owner: Owner, first: FunctionFacts, second: FunctionFacts, uses: list[Use]) -> Sureness:
        if isinstance(owner, ModuleFacts):
            return self._certainty_in_module(owner, first, second, uses)
        shared = self._program.shared
        if self._is_outside(owner, first) and self._are_in_one_crowd(first, second):
            return CERTAIN
        doubt = self.doubt_of_sharing(owner, first, second)
        if doubt is None and self.is_of_one_call(owner, first, second):
            doubt = MeetingDoubt.OWN_POOL
        if doubt is not None and not self._is_settled(owner, uses):
            return doubt.possible
        sure = CERTAIN
        if not shared.is_resolved(first, second):
            sure = self._certainty_of_calls(owner, first, second, uses)
        elif self.are_awaited_steps(owner, first, second):
            sure = MeetingDoubt.AWAITED_STEP.likely
        if not sure.is_possible and any(self.is_always_called_locked(owner, item) for item in (first, second)):
            return MeetingDoubt.CALLED_LOCKED.possible
        return sure

    def _certainty_of_calls(
        self, owner: ClassFacts, first: FunctionFacts, second: FunctionFacts, uses: list[Use]
    ) -> Sureness:
        """Where it is not known who comes; who calls what is asked last, because it takes longest."""
        beside = self._are_beside(owner, first, second)
        sure = CERTAIN if beside else self._sign(owner, first, second, uses)
        if sure.is_possible:
            return sure
        if not beside and first is second and self._is_seen_in_one_thread(owner, first):
            return MeetingDoubt.ONE_THREAD.possible
        doubt = self._doubt_of_callers(owner, first, second)
        return sure if doubt is None else doubt.possible

    def _sign(self, owner: ClassFacts, first: FunctionFacts, second: FunctionFacts, uses: list[Use]) -> Sureness:
        """What says that several threads come, where none is seen."""
        if self._is_guarded(uses) and not self._is_guarded_in_a_corner(owner, uses):
            return MeetingDoubt.BY_LOCK.likely
        if self._program.shared.is_own_thread(owner, first, second):
            return MeetingDoubt.BY_OWN_THREAD.likely
        if self._is_meant(owner, first, second):
            return MeetingDoubt.BY_CLASS.likely
        by_field = self._holders.have_both(first, second)
        return MeetingDoubt.BY_HOLDER.likely if by_field else MeetingDoubt.NO_SIGN.possible

    def _doubt_of_callers(self, owner: ClassFacts, *functions: FunctionFacts) -> MeetingDoubt | None:
        """Where the one that calls them holds a lock, as it seems, or is alone, or is not there."""
        if self.are_called_on_loops(*functions):
            return MeetingDoubt.ON_LOOPS
        return next(filter(None, (self._doubt_of_caller(owner, item) for item in functions)), None)

    def _doubt_of_caller(self, owner: ClassFacts, function: FunctionFacts) -> MeetingDoubt | None:
        if self._program.mentions.is_unheard(function):
            return MeetingDoubt.UNHEARD
        if is_handed_out(function) and not is_made_method(function):
            return MeetingDoubt.HANDED_OUT
        if TEARDOWN.match(function.name):
            return MeetingDoubt.AT_THE_END
        return MeetingDoubt.CONSTRUCTION if self._is_step_of_construction(owner, function) else None

    def _is_step_of_construction(self, owner: ClassFacts, function: FunctionFacts) -> bool:
        """A public method that only constructors of its own class call."""
        calls = self._program.locksets.own_calls(owner).get(function.name, ())
        if not calls or not all(is_constructor(caller) for caller, _ in calls):
            return False
        return all(map(is_constructor, self._program.mentions.callers(function)))

    def _certainty_in_module(
        self, owner: ModuleFacts, first: FunctionFacts, second: FunctionFacts, uses: list[Use]
    ) -> Sureness:
        """Likely where a thread of the module goes round and round, and others call a function of it meanwhile."""
        known = {item: self._program.contexts.all(item) for item in (first, second)}
        if all(known.values()) or self._are_beside(owner, first, second):
            return CERTAIN
        rounds = any(
            context.path == owner.path and Flow.LOOP in item.events
            for item, contexts in known.items()
            for context in contexts
        )
        called = (item for item, contexts in known.items() if not contexts)
        if rounds and all(map(is_for_others, called)):
            return MeetingDoubt.BY_ROUNDS.likely
        if are_claimed(owner, first, second):
            return MeetingDoubt.BY_MODULE.likely
        if not is_kept_under_lock(self._program, owner, uses, first, second):
            return MeetingDoubt.UNKNOWN_CALLER.possible
        doubt = next(filter(None, (doubt_of_caller(self._program, item) for item in (first, second))), None)
        return MeetingDoubt.BY_LOCK.likely if doubt is None else doubt.possible

    def _is_seen_in_one_thread(self, owner: ClassFacts, function: FunctionFacts) -> bool:
        """A step of one thread: anybody could call it, and nobody else does; or it is handed on there."""
        contexts = self._program.contexts.all(function)
        callers = self._program.locksets.own_calls(owner).get(function.name, ())
        if len(contexts) != 1 or contexts[0].many:
            return False
        if not callers:
            return function.name.startswith("_") and not self._program.mentions.callers(function)
        if any(self._program.contexts.all(caller) != contexts for caller, _ in callers):
            return False
        return not any(self._comes_from_elsewhere(caller, contexts) for caller, _ in callers)

    def _comes_from_elsewhere(self, step: FunctionFacts, contexts: tuple[Context, ...]) -> bool:
        """True for a public step that others call as well, which are not seen to be in that thread."""
        if step.name.startswith("_"):
            return False
        others = (item for item in self._program.mentions.callers(step) if not is_constructor(item))
        return any(self._program.contexts.all(item) != contexts for item in others)

    def _is_meant(self, owner: ClassFacts, function: FunctionFacts, other: FunctionFacts) -> bool:
        """The author says it, or the class that has the function makes or takes a lock for all of its state.

        Where only some of its methods take a lock, one of the two does, or is called by one that does: that
        threads come to the class does not say that they come here.
        """
        sharing = self._program.shared.why(owner)
        if sharing is None or sharing.claims:
            return sharing is not None
        if not sharing.has_general_lock:
            return False
        share = self._locking_share(owner)
        if share is _Share.CORNER or (
            share is _Share.SOME and not any(self._locks_something(owner, item) for item in (function, other))
        ):
            return False
        if not self._program.locking[owner][0] and is_taken_outside(self._program, owner.module, sharing.locks):
            return False  # its methods leave the lock to those who call them
        home = function.owner or owner
        if any(self._program.kinds.declares(home, name) for name in sharing.locks):
            return True
        return any(any(self._program.locksets.within(item)) for item in home.methods.values())

    def _locks_something(self, owner: ClassFacts, function: FunctionFacts) -> bool:
        method = outer_method(function)
        callers = self._program.locksets.own_calls(owner).get(method.name, ())
        return any(
            any(self._program.locksets.within(item)) for item in (method, *(caller for caller, _ in callers))
        )

    def _locking_share(self, owner: ClassFacts) -> "_Share":
        """How many of the methods that change something take a lock."""
        if owner not in self._program.locking:
            functions = {
                outer_method(use.function)
                for uses in self._program.fields.of_class(owner).values()
                for use in uses
                if use.changes
            }
            locking = sum(any(self._program.locksets.within(item)) for item in functions)
            self._program.locking[owner] = locking, len(functions)
        return _share(*self._program.locking[owner])

    def is_always_called_locked(self, owner: ClassFacts, function: FunctionFacts, depth: int = 2) -> bool:
        """A public step of a public method: its own class calls it, and holds a lock whenever it does.

        Or the one that calls it is such a step itself.
        """
        calls = [
            (caller, index)
            for caller, index in self._program.locksets.own_calls(owner).get(function.name, ())
            if not is_constructor(caller)
        ]
        if not calls:
            return self._is_called_locked_by_strangers(owner, function)
        locked = all(
            self._program.locksets.at(caller, index)
            or (depth > 0 and self.is_always_called_locked(owner, caller, depth - 1))
            for caller, index in calls
        )
        return locked and not self._is_called_by_strangers(owner, function)

    def _is_called_locked_by_strangers(self, owner: ClassFacts, function: FunctionFacts) -> bool:
        """True for `with shared.lock: shared.run()`, where nothing else calls `run`."""
        held = self._calls_of_strangers(owner, function)
        return bool(held) and all(held)

    def _is_called_by_strangers(self, owner: ClassFacts, function: FunctionFacts) -> bool:
        return not all(self._calls_of_strangers(owner, function))

    def _calls_of_strangers(self, owner: ClassFacts, function: FunctionFacts) -> tuple[int, ...]:
        """The locks that are held at each call by a function of no class of the family."""
        known = self._program.strangers
        if (owner, function) not in known:
            known[owner, function] = tuple(self._find_calls_of_strangers(owner, function))
        return known[owner, function]

    def _find_calls_of_strangers(self, owner: ClassFacts, function: FunctionFacts) -> Iterator[int]:
        for caller in self._program.callers.of(function):
            if caller.function.owner not in self._program.hierarchy.family(owner):
                yield self._program.locksets.at(caller.function, caller.at)

    def lock_of(self, uses: Iterable[Use]) -> str | None:
        """The lock that most uses hold, as the source says it."""
        names = [str(lock) for use in uses if use.locks for lock in self._program.locksets.named(use.locks)]
        return most_common(names)
