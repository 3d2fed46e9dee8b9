"""What runs in a forked child before anything else does: it is alone there, whatever it touches."""

import re
from collections.abc import Iterable, Iterator

from racehound.analysis.calls import Calls
from racehound.source.events import Shape, Value
from racehound.source.facts import FunctionFacts, ModuleFacts

_REGISTER = "register_at_fork"
_IN_CHILD = "after_in_child"
_NAMED = re.compile(r"\w*(after|at|post)_?fork(_in_child|_child|_reinit)?")
"""What libraries call their handlers, and what the locks of the standard library call theirs."""


class Forks:
    """Functions given to `os.register_at_fork` for the child, those so named, and those that only they call."""

    def __init__(self, modules: Iterable[ModuleFacts], calls: Calls) -> None:
        self._modules = tuple(modules)
        self._calls = calls
        self._alone: dict[FunctionFacts, bool] = dict.fromkeys(self._handlers(), True)
        self._by_name: dict[str, list[FunctionFacts]] = {}

    def is_alone(self, function: FunctionFacts) -> bool:
        if not self._alone:
            return False
        if function not in self._alone:
            self._alone[function] = False  # functions that call each other add nothing
            self._alone[function] = self._decide(function)
        return self._alone[function]

    def _decide(self, function: FunctionFacts) -> bool:
        """True if something calls it, and all that does is alone."""
        is_called = False
        for caller in self._callers().get(function.name, ()):
            if self._may_call(caller, function):
                if not self.is_alone(caller):
                    return False
                is_called = True
        return is_called

    def _callers(self) -> dict[str, list[FunctionFacts]]:
        """Of all modules, by what they call; most programs have no handlers, and need none of it."""
        if not self._by_name:
            for module in self._modules:
                for name, functions in module.callers.items():
                    self._by_name.setdefault(name, []).extend(functions)
        return self._by_name

    def _may_call(self, caller: FunctionFacts, function: FunctionFacts) -> bool:
        """False where all calls of that name are known to run another function."""
        calls = caller.calls_of(function.name)
        return any(self._calls.target(caller, call) in {None, function} for _, call in calls)

    def _handlers(self) -> Iterator[FunctionFacts]:
        for module in self._modules:
            yield from (item for item in module.functions if "fork" in item.name and _NAMED.fullmatch(item.name))
            for function in module.callers.get(_REGISTER, ()):
                for _, call in function.calls_of(_REGISTER):
                    yield from self._given(function, dict(call.keywords).get(_IN_CHILD))

    def _given(self, caller: FunctionFacts, value: Value | None) -> Iterator[FunctionFacts]:
        found = None if value is None else self._calls.function(caller, value)
        if found is not None:
            yield found
        elif value is not None and value.shape is Shape.PLACE and value.place is not None:
            yield from self._named((value.place.attributes or (value.place.root,))[-1])

    def _named(self, name: str) -> Iterator[FunctionFacts]:
        """A method of an object that cannot be told from here: all of that name, where there is one."""
        found = [item for module in self._modules for item in module.functions if item.name == name]
        yield from found if len(found) == 1 else ()
