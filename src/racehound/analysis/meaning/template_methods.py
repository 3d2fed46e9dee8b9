"""Methods that run in place of those of a base class, which calls them: `self.work()` in the `run` of a base."""

from collections.abc import Iterable, Iterator

from racehound.analysis.meaning.hierarchy import Hierarchy, is_owed
from racehound.analysis.threads.activations import Context
from racehound.source.events import SELF, Place
from racehound.source.facts import ClassFacts, FunctionFacts


def heirs_of_threads(hierarchy: Hierarchy, threads: Iterable[ClassFacts]) -> list[ClassFacts]:
    """Classes that inherit the `run` of a class of threads."""
    runs = {item.methods["run"] for item in threads}
    found = (item for item in hierarchy.classes if "run" not in item.methods) if runs else ()
    return [item for item in found if hierarchy.method(item, "run") in runs]


class TemplateMethods:
    def __init__(self, hierarchy: Hierarchy, heirs: Iterable[ClassFacts]) -> None:
        self._hierarchy = hierarchy
        self._heirs = {str(item): item for item in heirs}
        """Those whose contexts say of which class the object is."""

    def in_place_of(
        self, caller: FunctionFacts, place: Place | None, target: FunctionFacts | None, context: Context
    ) -> Iterator[FunctionFacts]:
        """What `self.step()` runs, by the class of the object; the one that is behind an abstract method."""
        if place is not None and place.root == SELF and len(place.attributes) == 1 and caller.owner is not None:
            name = place.attributes[0]
            yield from (
                item for item in self._hierarchy.overriding(caller.owner, name) if self.runs(item, context)
            )
        elif target is not None and target.owner is not None and is_owed(target):
            found = list(self._hierarchy.overriding(target.owner, target.name))
            yield from found if len(found) == 1 else ()

    def runs(self, method: FunctionFacts, context: Context) -> bool:
        """False for what the class of the object has another method for."""
        heir = self._heirs.get(context.starter) if self._heirs and context.many else None
        if heir is None or method.owner is None or not method.is_method:
            return True
        if not self._hierarchy.are_related(heir, method.owner):
            return True
        return self._hierarchy.method(heir, method.name) is method
