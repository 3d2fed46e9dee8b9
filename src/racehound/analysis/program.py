"""All that is known of the program under analysis: the one thing rules are given."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from racehound.analysis.awaiting.awaits import Awaits
from racehound.analysis.awaiting.coroutines import Coroutines
from racehound.analysis.awaiting.idle_awaits import IdleAwaits
from racehound.analysis.awaiting.tasks import Tasks
from racehound.analysis.event_loops.blocking import Blocking
from racehound.analysis.event_loops.loops import Loops
from racehound.analysis.locking.locks import Locks
from racehound.analysis.locking.locksets import Locksets
from racehound.analysis.meaning.callers import Callers
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.mentions import Mentions
from racehound.analysis.meaning.per_call import PerCall
from racehound.analysis.state.caught_looks import CaughtLook
from racehound.analysis.state.cells import Cells
from racehound.analysis.state.declared import Declared
from racehound.analysis.state.fields import Elsewhere, Fields, Use
from racehound.analysis.state.ownership import Ownership
from racehound.analysis.state.sharing import Shared
from racehound.analysis.survey import Survey
from racehound.analysis.threads.activations import Way
from racehound.analysis.threads.contexts import Contexts
from racehound.source.events import Decision
from racehound.source.extraction import extract
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts
from racehound.source.module import SourceModule

if TYPE_CHECKING:
    from racehound.analysis.state.gaps import Gaps
    from racehound.analysis.threads.interruptions import Interruption


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    modules: tuple[ModuleFacts, ...]
    hierarchy: Hierarchy
    kinds: Kinds
    calls: Calls
    callers: Callers
    locks: Locks
    locksets: Locksets
    contexts: Contexts
    shared: Shared
    fields: Fields
    coroutines: Coroutines
    tasks: Tasks
    awaits: Awaits
    blocking: Blocking
    loops: Loops
    declared: Declared
    mentions: Mentions
    per_call: PerCall
    gaps: "dict[ClassFacts | ModuleFacts, Gaps]" = field(default_factory=dict)
    """Worked out when a rule first asks: `gaps_of` fills it."""
    decisions: dict[FunctionFacts, list[tuple[int, Decision]]] = field(default_factory=dict)
    """The decisions of functions, with their indices, as far as asked."""
    dependents: dict[tuple[FunctionFacts, int], tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """What hangs on each decision, as far as asked: ranges of events."""
    caught_looks: dict[FunctionFacts, tuple[CaughtLook, ...]] = field(default_factory=dict)
    """Looks of functions that raise where there is nothing, as far as asked."""
    ways: dict[FunctionFacts, tuple[Way, ...]] = field(default_factory=dict)
    """How functions are come to through fields of other objects, as far as asked."""
    lockers: list[FunctionFacts] = field(default_factory=list)
    """Functions in which locks may be taken, once a rule has asked."""
    locking: dict[ClassFacts, tuple[int, int]] = field(default_factory=dict)
    """By class, how many methods take locks, of how many that change something, as far as asked."""
    own_fields: dict[ClassFacts | ModuleFacts, list[tuple[str, list[Use]]]] = field(default_factory=dict)
    """Fields with a use that is not inherited, as far as asked."""
    strangers: dict[tuple[ClassFacts, FunctionFacts], tuple[int, ...]] = field(default_factory=dict)
    """The locks that are held at calls of a method from outside of its class, as far as asked."""
    for_loops: dict[ClassFacts, bool] = field(default_factory=dict)
    """Classes of coroutines, as far as asked."""
    class_locks: dict[ClassFacts, bool] = field(default_factory=dict)
    """Classes whose locks all belong to the class itself, as far as asked."""
    guarded: dict[int, tuple[list[Use], bool]] = field(default_factory=dict)
    """Whether a field is guarded, by the identity of its uses, which are kept so that it stays theirs."""
    cornered: dict[int, tuple[list[Use], bool]] = field(default_factory=dict)
    """Whether few of its changes are, by a lock that is for something else as well."""
    interrupted: "dict[str, list[Interruption]]" = field(default_factory=dict)
    """What is changed in the middle of other code, once a rule has asked: `interruptions` fills it."""
    file_locks: dict[FunctionFacts, bool] = field(default_factory=dict)
    """Functions that take locks between processes, as far as asked."""
    suppressing: dict[FunctionFacts, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """Where functions enter and leave blocks that suppress errors, as far as asked."""
    figures: dict[tuple[ClassFacts, int], tuple[list[Use], bool]] = field(default_factory=dict)
    """Whether a field is a count for people to read, by the identity of its uses, which are kept for that."""
    workings: dict[ClassFacts, list[list[Use]]] = field(default_factory=dict)
    """Of classes, the first two fields that are more than counts, as far as asked."""
    called_on_loops: dict[FunctionFacts, bool] = field(default_factory=dict)
    """Functions that only coroutines call, as far as asked."""
    taken_outside: dict[ModuleFacts, frozenset[str]] = field(default_factory=dict)
    """The names of locks that functions of a module take of other objects, as far as asked."""

    @classmethod
    def of(cls, *modules: SourceModule) -> "Program":
        return cls.from_facts(extract(module) for module in modules)

    @classmethod
    def from_facts(cls, facts: Iterable[ModuleFacts]) -> "Program":
        return cls.surveyed(Survey(facts))

    @classmethod
    def surveyed(cls, survey: Survey) -> "Program":
        modules, hierarchy, kinds, calls = survey.modules, survey.hierarchy, survey.kinds, survey.calls
        locks, contexts = survey.locks, survey.contexts
        kinds.is_settled = True
        locksets = Locksets(locks, calls, hierarchy)
        coroutines = Coroutines(calls, kinds)
        ownership = Ownership(locksets, contexts, kinds)
        tasks = Tasks(modules, calls, coroutines)
        callers = Callers(modules, calls)
        declared = Declared(modules, hierarchy)
        elsewhere = Elsewhere(Cells(contexts, tasks, kinds), survey.foreign)
        fields = Fields(kinds, locks, locksets, ownership, declared, elsewhere)
        return cls(
            modules=modules,
            hierarchy=hierarchy,
            kinds=kinds,
            calls=calls,
            callers=callers,
            locks=locks,
            locksets=locksets,
            contexts=contexts,
            shared=survey.shared,
            fields=fields,
            coroutines=coroutines,
            tasks=tasks,
            awaits=Awaits(hierarchy, fields, locksets, tasks, IdleAwaits(calls, hierarchy)),
            blocking=survey.blocking,
            declared=declared,
            mentions=Mentions(modules, calls, callers),
            per_call=PerCall(modules, calls),
            loops=Loops(modules, calls, contexts, hierarchy, coroutines, callers),
        )
