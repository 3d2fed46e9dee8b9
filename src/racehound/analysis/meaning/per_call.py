"""Classes whose objects live as long as one call: made in a function, used there, handed back to its caller."""

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.constructions import constructions
from racehound.analysis.testfiles import is_test
from racehound.source.events import CHANGES, Bind, Call, Exit, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class PerCall:
    def __init__(self, modules: tuple[ModuleFacts, ...], calls: Calls) -> None:
        self._modules = modules
        self._calls = calls
        self._known: dict[ClassFacts, bool] = {}
        self._lasting: dict[ClassFacts, bool] = {}

    def is_lasting(self, owner: ClassFacts) -> bool:
        """True if a module makes such an object as it is imported: whoever comes finds the same one."""
        if owner not in self._lasting:
            found = constructions(self._modules, self._calls, (owner,))
            self._lasting[owner] = any(item.is_module_body for item, _, kind in found if kind is owner)
        return self._lasting[owner]

    def is_made(self, owner: ClassFacts) -> bool:
        """True if the program makes such objects, and never keeps one where others find it."""
        if owner not in self._known:
            found = constructions(self._modules, self._calls, (owner,))
            made = [(item, call) for item, call, kind in found if kind is owner and not is_test(item.module)]
            self._known[owner] = bool(made) and not any(_is_kept(item, call) for item, call in made)
        return self._known[owner]


def _is_kept(function: FunctionFacts, made: Call) -> bool:
    if function.is_module_body:
        return True
    names = {
        event.name
        for event in function.events
        if isinstance(event, Bind) and any(value.place == made.callee for value in event.values)
    }
    if not names:
        return not any(isinstance(event, Exit) and event.value.place == made.callee for event in function.events)
    return any(
        value.place is not None and value.place.root in names
        for event in function.events
        if isinstance(event, Touch) and event.action in CHANGES and event.place.root not in function.bound
        for value in event.values
    )
