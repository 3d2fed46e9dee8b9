"""What extraction keeps of a module once its tree is dropped."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple, Self

from racehound.source.attempts import Attempt
from racehound.source.declarations import Declaration
from racehound.source.events import Call, Event, Listed, Place, Span, Value, Waited
from racehound.source.filecalls import FileCall
from racehound.source.suppressions import Suppression

MODULE_BODY = "<module>"
_COROUTINES = frozenset({"coroutine", "inlineCallbacks"})
_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


@dataclass(slots=True, eq=False, kw_only=True)
class FunctionFacts:
    """A function, method, lambda or module body."""

    module: "ModuleFacts"
    name: str
    qualified_name: str
    owner: "ClassFacts | None"
    """The class whose instance `self` is, also inside functions nested in a method."""
    parent: "FunctionFacts | None"
    span: Span
    parameters: tuple[str, ...] = ()
    annotations: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    defaults: dict[str, Value] = field(default_factory=dict)
    """What parameters are where nobody gives them, as far as that is a name, a call or a place of files."""
    returns: tuple[Value, ...] = ()
    decorators: tuple[Place, ...] = ()
    decorated_by: tuple[Value, ...] = ()
    """Those decorators, as calls, that are given something that has a name: `@synchronized(lock)`."""
    is_async: bool = False
    is_method: bool = False
    """Defined directly in a class body."""
    events: list[Event] = field(default_factory=list)
    holds: frozenset[object] = frozenset()
    """Types of its events, and what it does to places: enough to tell whether a look at the events is worth it."""
    bound: set[str] = field(default_factory=set)
    """Names that are local because the function binds them."""
    bindings: dict[str, list[Value]] = field(default_factory=dict)
    """All that local names are bound to, in order; names of which nothing is known are left out."""
    fed: list[int] = field(default_factory=list)
    """Indices of the changes into which something flowed that was seen before."""
    passed: dict[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    """Of a coroutine: for each call, by argument, what was seen before the call and goes into it."""
    shared_names: set[str] = field(default_factory=set)
    """Names declared `global` or `nonlocal`."""
    loads: dict[str, int] = field(default_factory=dict)
    """How often the body reads each plain name."""
    discarded: set[int] = field(default_factory=set)
    """Indices of events whose value an expression statement throws away."""
    attempts: list[Attempt] = field(default_factory=list)
    """`try` statements with what they catch, in the order in which they begin."""
    loops: list[Waited | Listed] = field(default_factory=list)
    """What loops wait for, one by one, and what they go over that is listed on the spot, in order."""
    files: list[FileCall] = field(default_factory=list)
    """What it does to files, in order."""
    _calls: dict[str, list[tuple[int, Call]]] | None = None

    def calls_of(self, name: str) -> Sequence[tuple[int, Call]]:
        """Its calls by that last name, with their indices.

        Who calls a function is asked again and again, and most events are no calls: they are gone through once.
        """
        if self._calls is None:
            self._calls = {}
            for index, event in enumerate(self.events):
                if type(event) is Call:
                    self._calls.setdefault(event.method, []).append((index, event))
        return self._calls.get(name, ())

    @property
    def is_old_coroutine(self) -> bool:
        """`@gen.coroutine` and its like, from before there was `async def`: what it yields, it waits for."""
        return any((place.attributes or (place.root,))[-1] in _COROUTINES for place in self.decorators)

    @property
    def is_context_manager(self) -> bool:
        """`@contextmanager`: what the block inside raises comes out of its `yield`."""
        return any((place.attributes or (place.root,))[-1] in _MANAGERS for place in self.decorators)

    @property
    def is_module_body(self) -> bool:
        return self.qualified_name == MODULE_BODY

    def __repr__(self) -> str:
        return f"{self.module.path}::{self.qualified_name}"


@dataclass(slots=True, eq=False, kw_only=True)
class ClassFacts:
    module: "ModuleFacts"
    name: str
    qualified_name: str
    span: Span
    bases: tuple[Place, ...]
    claims_thread_safety: bool
    """The docstring says so, be it true or not."""
    decorators: tuple[Place, ...] = ()
    attributes: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    """Values and annotations given to names in the class body."""
    methods: dict[str, FunctionFacts] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"{self.module.path}::{self.qualified_name}"


class Measure(NamedTuple):
    """What can be said of a module without a look at its functions."""

    lines: int
    events: int
    digest: str
    """Of its text."""


@dataclass(slots=True, eq=False, kw_only=True)
class ModuleFacts:
    """One that was recalled has its outline alone, see `recalled`, until something else is asked for."""

    path: str
    text: str
    imports: dict[str, str] = field(default_factory=dict)
    """Local name to dotted name; leading dots are relative to this module."""
    variables: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    functions: list[FunctionFacts] = field(default_factory=list)
    """All of them, in source order, nested ones and the module body included."""
    classes: list[ClassFacts] = field(default_factory=list)
    callers: dict[str, list[FunctionFacts]] = field(default_factory=dict)
    """Functions by the last names of what they call, in source order."""
    suppressions: tuple[Suppression, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    claims_thread_safety: bool = False
    """Its first words say that threads share what it has."""
    claims_processes: bool = False
    """They, or those of one of its classes, say that several processes come to its files."""
    home: str = ""
    """Its path within the project, which does not hang on the current directory; empty where `path` is that."""
    _lines: list[str] = field(default_factory=list)
    _aliases: dict[str, list[str]] = field(default_factory=dict)
    _definitions: dict[str, ClassFacts | FunctionFacts] = field(default_factory=dict)
    _measure: Measure | None = None
    _load: "Callable[[ModuleFacts], None] | None" = None

    @classmethod
    def recalled(
        cls, path: str, measure: Measure, imports: dict[str, str], load: "Callable[[ModuleFacts], None]"
    ) -> Self:
        """A module without comments that speak to us; `load` fills in the rest, when it is first asked for."""
        module = cls(path=path, text="", imports=imports, _measure=measure, _load=load)
        for name in _LATE:
            delattr(module, name)
        return module

    def __getattr__(self, name: str) -> Any:
        """Comes here for what has no value yet."""
        if name not in _LATE or self.is_loaded:
            raise AttributeError(name)
        self.load()
        return getattr(self, name)

    @property
    def is_loaded(self) -> bool:
        return self._load is None

    def load(self) -> None:
        """All of it, where it was recalled."""
        load, self._load = self._load, None
        if load is not None:
            load(self)

    @property
    def measure(self) -> Measure:
        if self._measure is None:
            data = self.text.encode("utf-8", "surrogatepass")
            events = sum(len(function.events) for function in self.functions)
            self._measure = Measure(self.text.count("\n"), events, blake2b(data, digest_size=16).hexdigest())
        return self._measure

    @property
    def definitions(self) -> dict[str, ClassFacts | FunctionFacts]:
        """Its classes and functions by qualified name; a class comes before a function of the same name."""
        if not self._definitions:
            self._definitions.update((item.qualified_name, item) for item in self.functions)
            self._definitions.update((item.qualified_name, item) for item in self.classes)
        return self._definitions

    def aliases(self, names: AbstractSet[str]) -> list[str]:
        """What the module calls things that are imported and have one of the names where they come from."""
        if not self._aliases:
            for alias, origin in self.imports.items():
                self._aliases.setdefault(origin.rpartition(".")[2], []).append(alias)
        return [alias for name in self._aliases.keys() & names for alias in self._aliases[name]]

    def line(self, number: int) -> str:
        """Of the source, counted from 1."""
        if not self._lines:
            self._lines.extend(self.text.split("\n"))
        return self._lines[number - 1]

    def forget_text(self) -> None:
        """And what was worked out on the way."""
        self._measure = self.measure
        self.text = ""
        self._lines.clear()
        self._aliases.clear()
        self._definitions.clear()

    def __repr__(self) -> str:
        return self.path


_LATE = frozenset(
    {"text", "variables", "functions", "classes", "callers", "claims_thread_safety", "claims_processes"}
)
