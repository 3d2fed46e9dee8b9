"""A first look at the modules that were read: which others they lead to.

In a large tree most files are not read, because they hold no finding by themselves. They matter all the same where
a thread comes to them, where a coroutine calls into them, and where a class that threads share derives from one of
theirs. Rules ask the same questions later, of a program that has all the answers.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from hashlib import blake2b
from typing import NamedTuple, Protocol, TypeAlias

from racehound.analysis.event_loops.blocking import Blocking
from racehound.analysis.islands import Routes, islands
from racehound.analysis.locking.locks import Locks
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.meaning.names import Answers, Names, Read
from racehound.analysis.state.foreign import Foreign
from racehound.analysis.state.sharing import Shared
from racehound.analysis.threads.contexts import Contexts
from racehound.source.events import Call
from racehound.source.facts import ClassFacts, ModuleFacts

Part: TypeAlias = tuple[ModuleFacts, ...]


class Survey:
    """Names, classes, calls and threads of the modules read so far; `names` knows of the other files as well.

    With `read`, files that threads and coroutines come to are read on the way, and followed further. What threads
    share is then not known any more, since classes have joined.
    """

    def __init__(
        self, modules: Iterable[ModuleFacts], names: Names | None = None, read: Read | None = None
    ) -> None:
        self.joined: list[ModuleFacts] = []
        """What was read on the way."""
        self._read = None if read is None else partial(self._join, read)
        self.modules = tuple(sorted(modules, key=lambda module: module.path))
        self.names = Names(self.modules) if names is None else names
        self.hierarchy = Hierarchy(self.modules, self.names)
        self.names.missed.clear()  # bases of classes that nobody has asked for
        self.kinds = Kinds(self.names, self.hierarchy)
        self.locks = Locks(self.kinds, self.hierarchy)
        self.calls = Calls(self.names, self.kinds)
        self.contexts = Contexts(self.modules, self.calls, self.hierarchy, self._read)
        self._reached = frozenset(self.names.missed)
        """Unread files that threads come to."""
        self.names.heed(None)
        self.foreign = Foreign(self.contexts, self.kinds)
        self.shared = Shared(self.hierarchy, self.locks, self.contexts, frozenset(self.foreign.owners))
        self.blocking = Blocking(self.calls, self.kinds)

    def _join(self, read: Read, path: str) -> ModuleFacts | None:
        module = read(path)
        if module is not None:
            self.hierarchy.join(module)
            self.joined.append(module)
        return module

    def missed(self) -> frozenset[str]:
        """Unread files that what was read leads to; to be asked once."""
        incomplete = {item: found for item in self.hierarchy.classes if (found := self._missed_bases(item))}
        bases = set[str]()
        for item in self.hierarchy.classes if incomplete else ():
            unknown = [incomplete[base] for base in self.hierarchy.linear(item) if base in incomplete]
            if unknown and self.shared.why(item) is not None:
                bases.update(*unknown)
        self.names.heed(self._read)
        self.kinds.ask_callers(asks=False)
        self._ask_coroutines()
        self.kinds.ask_callers(asks=True)
        asked = frozenset(self.names.missed)
        self.names.heed(None)  # rules take the program as it is
        self._read = None  # it knows the survey
        return self._reached.union(bases, asked, (module.path for module in self.joined))

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
                if function.is_async:
                    calls = (event for event in function.events if isinstance(event, Call))
                    for call in {id(call.callee): call for call in calls}.values():  # one answer for all of a name
                        self.blocking.below(function, call)


class Lead(NamedTuple):
    """What one island of the modules read so far leads to."""

    missed: frozenset[str]
    """Unread files."""
    shared: frozenset[str]
    """Names of classes that threads share: where an unread file has a class that derives from one, it matters."""
    asked: frozenset[tuple[str, str]]
    """Paths of modules, and the names that were looked for in them."""
    joined: frozenset[tuple[str, str]]
    """Paths of those files that were read on the way, and digests of what was in them."""


class Remembering(Protocol):
    """Knows what islands led to in an earlier hunt; `outside` is what else that hangs on."""

    def recall_lead(self, part: Part, outside: str, /) -> Lead | None: ...

    def note_lead(self, part: Part, outside: str, lead: Lead, /) -> None: ...


class Leads:
    """Of each island; one that has not grown leads nowhere new."""

    def __init__(
        self, paths: Sequence[str] = (), known: Remembering | None = None, read: Read | None = None
    ) -> None:
        """`paths` are those of all files: names are looked up among these. `read` reads one that was left out.

        What threads come to is followed from file to file in one survey: to make one for every step takes longer
        than all else that is done to find out which files matter.
        """
        self._paths = tuple(paths)
        self._known = known
        self._read = read
        self._leads: dict[Part, Lead] = {}
        self._bases: dict[Part, frozenset[str]] = {}
        self._told: dict[frozenset[str], str] = {}
        self._surveys: dict[Part, Survey] = {}
        self._answers: dict[ModuleFacts, Answers] = {}
        self._routes: Routes | None = None
        self._parts: tuple[Part, list[Part]] | None = None
        """The islands that were asked for last, and the modules that they are made of."""
        self.asked: set[tuple[str, str]] = set()

    def of(
        self, modules: Iterable[ModuleFacts], names: Names, bases: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Unread files that the modules lead to, and those of the names that a shared class has."""
        parts = self.islands(sorted(modules, key=lambda module: module.path), names)
        for grown in self._leads.keys() - set(parts):
            del self._leads[grown], self._bases[grown]
            self._surveys.pop(grown, None)
        for part in parts:
            if part not in self._leads:
                self._bases[part] = bases
                self._leads[part] = self._lead(part, names)
        leads = self._leads.values()
        nothing = frozenset[str]()
        return nothing.union(*(lead.missed for lead in leads)), nothing.union(*(lead.shared for lead in leads))

    def islands(self, modules: Sequence[ModuleFacts], names: Names) -> list[Part]:
        """Of the modules read so far, in the order of their paths."""
        if self._routes is None:
            self._routes = Routes(names.dotted_names())
        if self._parts is None or self._parts[0] != tuple(modules):
            self._parts = tuple(modules), islands(modules, names, self._routes)
        return self._parts[1]

    def _lead(self, part: Part, names: Names) -> Lead:
        outside = self.outside(part)
        lead = None if self._known is None else self._known.recall_lead(part, outside)
        if lead is None or not all(self._is_still(*joined) for joined in lead.joined):
            survey, lead = self._surveyed(part, names, self._read)
            if not lead.joined:
                self._surveys[part] = survey
        if self._known is not None:
            self._known.note_lead(part, outside, lead)
        self.asked |= lead.asked
        return lead

    def _is_still(self, path: str, digest: str) -> bool:
        """True if a file that was followed is as it was, and left out as it was."""
        module = None if self._read is None else self._read(path)
        return module is not None and module.measure.digest == digest

    def _surveyed(self, part: Part, names: Names, read: Read | None = None) -> tuple[Survey, Lead]:
        survey = Survey(part, names.part(part, self._answers), read)
        missed, shared = survey.missed(), survey.shared_names(self._bases[part])
        self._answers.update(survey.names.certain())
        # What a smaller part has asked is answered already, and is not asked again.
        own = {module.path for module in part}
        survey.names.asked |= {asked for asked in self.asked if asked[0] in own}
        joined = frozenset((module.path, module.measure.digest) for module in survey.joined)
        return survey, Lead(missed, shared, frozenset(survey.names.asked), joined)

    def outside(self, part: Part) -> str:
        """What the survey of an island hangs on but its modules, in short: the names of all files, for one."""
        bases = self._bases.get(part, frozenset())
        if bases not in self._told:
            self._told[bases] = _digest((*self._paths, "", *sorted(bases)))
        return self._told[bases]

    def survey_of(self, part: Part, names: Names) -> Survey:
        """For the rules: where islands were followed, what is asked on the way has been asked before, always.

        It is not kept: the next island needs the room.
        """
        if part in self._surveys:
            return self._surveys.pop(part)
        return self._surveyed(part, names)[0] if part in self._leads else Survey(part, names.part(part))


def _digest(texts: Sequence[str]) -> str:
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
