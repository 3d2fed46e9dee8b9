"""Who speaks of a function, by its name: tests left out, for what they call says little of what programs do."""

from collections.abc import Iterable

from racehound.analysis.meaning.callers import Callers
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.testfiles import is_test
from racehound.source.events import Bind, Call, Exit, Place, Touch, Value
from racehound.source.facts import FunctionFacts, ModuleFacts

_SCHEDULERS = frozenset(
    {
        *("call_soon", "call_soon_threadsafe", "call_later", "call_at", "add_reader", "add_writer"),
        *("callFromThread", "callLater", "callWhenRunning", "add_callback", "add_timeout", "spawn_callback"),
    }
)
"""Give a function to an event loop, which runs it in its own thread."""


class Mentions:
    def __init__(self, modules: Iterable[ModuleFacts], calls: Calls, callers: Callers) -> None:
        self._modules = tuple(modules)
        self._programs = dict.fromkeys(module for module in self._modules if not is_test(module))
        self._calls = calls
        self._callers = callers
        self._names: dict[ModuleFacts, frozenset[str]] = {}

    def callers(self, function: FunctionFacts) -> list[FunctionFacts]:
        """Functions with a call that runs it, or that may run it since nothing is known of the object."""
        calls = self._callers.named(function.name)
        found = dict.fromkeys(item.function for item in calls if item.target is None or item.target is function)
        return [item for item in found if item is not function and item.module in self._programs]

    def is_scheduled(self, function: FunctionFacts) -> bool:
        """True if its module gives it to an event loop."""
        return any(
            function in self._given(caller, call)
            for name in _SCHEDULERS
            for caller in function.module.callers.get(name, ())
            for _, call in caller.calls_of(name)
        )

    def _given(self, caller: FunctionFacts, call: Call) -> list[FunctionFacts | None]:
        return [self._calls.function(caller, value) for value in call.arguments]

    def is_unheard(self, function: FunctionFacts) -> bool:
        """True for a private function that nothing calls or names: whatever runs it is not there."""
        name = function.name
        if not name.startswith("_") or name.endswith("__") or function.decorators or is_test(function.module):
            return False
        if any(caller.module in self._programs for caller in self._callers.calling(name)):
            return False
        return not any(name in module.text and name in self._mentioned(module) for module in self._modules)

    def _mentioned(self, module: ModuleFacts) -> frozenset[str]:
        """Private names that it uses as values; looked for where the text has the name, which few modules do."""
        if module not in self._names:
            functions = module.functions if module in self._programs else ()
            places = {id(place): place for item in functions for place in _places(item)}  # most are shared
            names = {name for place in places.values() for name in (place.root, *place.attributes)}
            for item in module.functions:
                names.update(item.loads)
            self._names[module] = frozenset(name for name in names if name.startswith("_"))
        return self._names[module]


def _places(function: FunctionFacts) -> list[Place]:
    """What its events speak of; a list, for there are many."""
    found: list[Place] = []
    for event in function.events:
        if type(event) is Call:
            _collect(event.arguments, found)
            if event.keywords:
                _collect([value for _, value in event.keywords], found)
        elif type(event) is Touch:
            found.append(event.place)
            _collect(event.values, found)
        elif type(event) is Bind:
            _collect(event.values, found)
        elif type(event) is Exit:
            _collect((event.value,), found)
    return found


def _collect(values: Iterable[Value], found: list[Place]) -> None:
    for value in values:
        if value.place is not None:
            found.append(value.place)
        if value.arguments:
            _collect(value.arguments, found)
