"""A first look at the modules that were read: which others they lead to.

In a large tree most files are not read, because they hold no finding by themselves. They matter all the same where
a thread comes to them, where a coroutine calls into them, and where a class that threads share derives from one of
theirs. Rules ask the same questions later, of a program that has all the answers.
"""

from collections.abc import Iterable

from racehound.analysis.blocking import Blocking
from racehound.analysis.calls import Calls
from racehound.analysis.contexts import Contexts
from racehound.analysis.foreign import Foreign
from racehound.analysis.hierarchy import Hierarchy
from racehound.analysis.islands import islands
from racehound.analysis.kinds import Kinds
from racehound.analysis.locks import Locks
from racehound.analysis.names import Answers, Names
from racehound.analysis.sharing import Shared
from racehound.source.events import Call
from racehound.source.facts import ClassFacts, ModuleFacts


class Survey:
    """Names, classes, calls and threads of the modules read so far; `names` knows of the other files as well."""

    def __init__(self, modules: Iterable[ModuleFacts], names: Names | None = None) -> None:
        self.modules = tuple(sorted(modules, key=lambda module: module.path))
        self.names = Names(self.modules) if names is None else names
        self.hierarchy = Hierarchy(self.modules, self.names)
        self.names.missed.clear()  # bases of classes that nobody has asked for
        self.kinds = Kinds(self.names, self.hierarchy)
        self.locks = Locks(self.kinds, self.hierarchy)
        self.calls = Calls(self.names, self.kinds)
        self.contexts = Contexts(self.modules, self.calls, self.hierarchy)
        self._reached = frozenset(self.names.missed)
        """Unread files that threads come to."""
        self.foreign = Foreign(self.contexts, self.kinds)
        self.shared = Shared(self.hierarchy, self.locks, self.contexts, frozenset(self.foreign.owners))
        self.blocking = Blocking(self.calls, self.kinds)

    def missed(self) -> frozenset[str]:
        """Unread files that what was read leads to."""
        incomplete = {item: found for item in self.hierarchy.classes if (found := self._missed_bases(item))}
        bases = set[str]()
        for item in self.hierarchy.classes if incomplete else ():
            unknown = [incomplete[base] for base in self.hierarchy.linear(item) if base in incomplete]
            if unknown and self.shared.why(item) is not None:
                bases.update(*unknown)
        self.names.missed.clear()
        self._ask_coroutines()
        return self._reached | bases | self.names.missed

    def _missed_bases(self, item: ClassFacts) -> frozenset[str]:
        """Unread files in which the bases of a class are looked for."""
        self.names.missed.clear()
        for place in item.bases:
            self.names.resolve(item.module, place)
        return frozenset(self.names.missed)

    def shared_names(self) -> frozenset[str]:
        """Names of classes that threads share: others may derive from them."""
        return frozenset(item.name for item in self.hierarchy.classes if self.shared.why(item) is not None)

    def _ask_coroutines(self) -> None:
        for module in self.modules:
            for function in module.functions:
                for event in function.events if function.is_async else ():
                    if isinstance(event, Call):
                        self.blocking.below(function, event)


class Leads:
    """What each island of the modules read so far leads to; an island that has not grown leads nowhere new."""

    def __init__(self) -> None:
        self._surveys: dict[tuple[ModuleFacts, ...], Survey] = {}
        self._missed: dict[tuple[ModuleFacts, ...], frozenset[str]] = {}
        self._shared: dict[tuple[ModuleFacts, ...], frozenset[str]] = {}
        self._answers: dict[ModuleFacts, Answers] = {}
        self.asked: set[tuple[str, str]] = set()
        """Paths of modules, and the names that were looked for in them."""

    def of(self, modules: Iterable[ModuleFacts], names: Names) -> tuple[frozenset[str], frozenset[str]]:
        """Unread files that the modules lead to, and the names of classes that threads share."""
        parts = islands(sorted(modules, key=lambda module: module.path), names)
        for grown in self._surveys.keys() - set(parts):
            del self._surveys[grown], self._missed[grown], self._shared[grown]
        for part in parts:
            if part not in self._surveys:
                self._survey(part, names)
        nothing = frozenset[str]()
        return nothing.union(*self._missed.values()), nothing.union(*self._shared.values())

    def _survey(self, part: tuple[ModuleFacts, ...], names: Names) -> None:
        survey = self._surveys[part] = Survey(part, names.part(part, self._answers))
        self._missed[part] = survey.missed()
        self._shared[part] = survey.shared_names()
        self._answers.update(survey.names.certain())
        self.asked |= survey.names.asked

    def survey_of(self, part: tuple[ModuleFacts, ...], names: Names) -> Survey:
        """The one that was made on the way, or a new one; what has been asked before rules ask is the same always.

        It is made for the rules and not kept: the next island needs the room.
        """
        return self._surveys.pop(part, None) or Survey(part, names.part(part))
