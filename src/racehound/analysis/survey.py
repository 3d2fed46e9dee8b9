"""A first look at the modules that were read: which others they lead to.

In a large tree most files are not read, because they hold no finding by themselves. They matter all the same where
a thread comes to them, where a coroutine calls into them, and where a class that threads share derives from one of
theirs. Rules ask the same questions later, of a program that has all the answers.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from racehound.analysis.blocking import Blocking
from racehound.analysis.calls import Calls
from racehound.analysis.contexts import Contexts
from racehound.analysis.foreign import Foreign
from racehound.analysis.hierarchy import Hierarchy
from racehound.analysis.kinds import Kinds
from racehound.analysis.locks import Locks
from racehound.analysis.names import Names
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

    def shared_names(self, asked: AbstractSet[str]) -> frozenset[str]:
        """Those of the names that a class has which threads share: others may derive from it."""
        named = (item for item in self.hierarchy.classes if item.name in asked)
        return frozenset(item.name for item in named if self.shared.why(item) is not None)

    def _ask_coroutines(self) -> None:
        for module in self.modules:
            for function in module.functions:
                for event in function.events if function.is_async else ():
                    if isinstance(event, Call):
                        self.blocking.below(function, event)
