"""State of an object that a function changes from outside: `counter.total += 1`, and threads share `counter`."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import Kind, Kinds
from racehound.analysis.threads.contexts import Contexts
from racehound.analysis.threads.handed import Handed, handed_objects
from racehound.source.events import SELF, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_DEPTH = 2


class Outside(NamedTuple):
    """A use of an attribute by a function that is no method of the object's class."""

    function: FunctionFacts
    at: int
    touch: Touch


class Contained(NamedTuple):
    """A use, by a method of a thread, of a container that all threads of its class were made with."""

    owner: ClassFacts
    field: str
    use: Outside
    kinds: frozenset[Kind]


class Foreign:
    """Uses by functions that run in threads, on objects that other threads have too."""

    def __init__(self, contexts: Contexts, kinds: Kinds) -> None:
        self._contexts = contexts
        self._kinds = kinds
        self._uses: dict[ClassFacts, list[Outside]] = {}
        self._contained: dict[ModuleFacts, list[Contained]] = {}
        for function in sorted(contexts.functions(), key=lambda item: (item.module.path, item.span)):
            for base, use in _attributes(function):
                for owner in self._owners(function, base):
                    self._uses.setdefault(owner, []).append(use)
        for handed in handed_objects(contexts.modules, contexts.calls, contexts.crowds):
            self._hand(handed)

    def _hand(self, handed: Handed) -> None:
        """Uses, by the methods of a thread, of the object that all threads of its class were made with."""
        kinds = self._kinds.field(handed.owner, handed.field) or self._kinds.value(handed.maker, handed.value)
        owners = [kind for kind in kinds if isinstance(kind, ClassFacts)]
        is_container = self._kinds.is_container(kinds)
        for use in self._below(handed) if owners or is_container else ():
            below = use.touch.place.attributes[1:]
            if below:
                touch = use.touch._replace(place=Place(f"self.{handed.field}", below))
                for owner in owners:
                    self._uses.setdefault(owner, []).append(use._replace(touch=touch))
            elif is_container:
                contained = Contained(handed.owner, handed.field, use, kinds)
                self._contained.setdefault(handed.owner.module, []).append(contained)

    def _below(self, handed: Handed) -> Iterator[Outside]:
        for function in handed.owner.methods.values():
            for index, event in enumerate(function.events) if self._contexts.all(function) else ():
                if isinstance(event, Touch) and _is_at_or_below(event.place, handed.field):
                    yield Outside(function, index, event)

    def contained(self, module: ModuleFacts) -> list[Contained]:
        return self._contained.get(module, [])

    @property
    def owners(self) -> Iterable[ClassFacts]:
        return self._uses.keys()

    def of(self, owner: ClassFacts) -> list[Outside]:
        return self._uses.get(owner, [])

    def _owners(self, function: FunctionFacts, base: Place) -> Iterator[ClassFacts]:
        if self._contexts.shares(function, base):
            for kind in self.kinds_of(function, base):
                if isinstance(kind, ClassFacts):
                    yield kind

    def kinds_of(self, function: FunctionFacts, root: Place) -> frozenset[Kind]:
        """By what the program says of the variable, or by what the starters of the thread give for it."""
        known = self._kinds.place(function, root)
        given = self._contexts.given.get((function, root.root), ()) if not known else ()
        return known.union(*(self._kinds.value(caller, value) for caller, value in given))


def _is_at_or_below(place: Place, field: str) -> bool:
    """True for `self.field`, and for an attribute of what is kept there."""
    return place.root == SELF and place.attributes[:1] == (field,) and len(place.attributes) <= _DEPTH


def _attributes(function: FunctionFacts) -> Iterator[tuple[Place, Outside]]:
    """Uses of `counter.total`, `self.counter.total` and one deeper, each with the place of the object."""
    for index, event in enumerate(function.events) if Touch in function.holds else ():
        if type(event) is not Touch:
            continue
        root, attributes = event.place
        if root != SELF and len(attributes) == 1:
            yield Place(root), Outside(function, index, event)
        elif root == SELF and len(attributes) >= _DEPTH:
            name = ".".join(("self", *attributes[:-1]))
            below = event._replace(place=Place(name, attributes[-1:]))
            yield Place(SELF, attributes[:-1]), Outside(function, index, below)
