"""State of an object that a function changes from outside: `counter.total += 1`, and threads share `counter`."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.contexts import Contexts
from racehound.analysis.kinds import Kind, Kinds
from racehound.source.events import SELF, Place, Touch
from racehound.source.facts import ClassFacts, FunctionFacts


class Outside(NamedTuple):
    """A use of an attribute by a function that is no method of the object's class."""

    function: FunctionFacts
    at: int
    touch: Touch


class Foreign:
    """Uses by functions that run in threads, on objects that other threads have too."""

    def __init__(self, contexts: Contexts, kinds: Kinds) -> None:
        self._contexts = contexts
        self._kinds = kinds
        self._uses: dict[ClassFacts, list[Outside]] = {}
        for function in sorted(contexts.functions(), key=lambda item: (item.module.path, item.span)):
            for use in _attributes(function):
                for owner in self._owners(function, use.touch.place):
                    self._uses.setdefault(owner, []).append(use)

    @property
    def owners(self) -> Iterable[ClassFacts]:
        return self._uses.keys()

    def of(self, owner: ClassFacts) -> list[Outside]:
        return self._uses.get(owner, [])

    def _owners(self, function: FunctionFacts, place: Place) -> Iterator[ClassFacts]:
        root = Place(place.root)
        if self._contexts.shares(function, root):
            for kind in self.kinds_of(function, root):
                if isinstance(kind, ClassFacts):
                    yield kind

    def kinds_of(self, function: FunctionFacts, root: Place) -> frozenset[Kind]:
        """By what the program says of the variable, or by what the starters of the thread give for it."""
        known = self._kinds.place(function, root)
        given = self._contexts.given.get((function, root.root), ()) if not known else ()
        return known.union(*(self._kinds.value(caller, value) for caller, value in given))


def _attributes(function: FunctionFacts) -> Iterator[Outside]:
    for index, event in enumerate(function.events) if Touch in function.holds else ():
        if isinstance(event, Touch) and event.place.root != SELF and len(event.place.attributes) == 1:
            yield Outside(function, index, event)
