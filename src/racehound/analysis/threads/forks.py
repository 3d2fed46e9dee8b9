"""What runs in a forked child before anything else does: it is alone there, whatever it touches."""

import re
from collections.abc import Iterable, Iterator

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import Call, Shape, Value
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
        self._alone = set(self._handlers())
        self._is_complete = not self._alone
        """Most programs have no handlers."""

    def is_alone(self, function: FunctionFacts) -> bool:
        if not self._is_complete:
            self._is_complete = True
            self._follow()
        return function in self._alone

    def _follow(self) -> None:
        """From the handlers to what they call: nothing else can be alone."""
        named: dict[str, list[FunctionFacts]] = {}
        callers: dict[str, list[FunctionFacts]] = {}
        for module in self._modules:
            for item in module.functions:
                named.setdefault(item.name, []).append(item)
            for name, functions in module.callers.items():
                callers.setdefault(name, []).extend(functions)
        open_ = list(self._alone)
        for caller in open_:  # it grows on the way
            for name in {call.method for call in caller.events if isinstance(call, Call)}:
                for function in named.get(name, ()):
                    if function not in self._alone and self._is_called_alone(function, callers[name]):
                        self._alone.add(function)
                        open_.append(function)

    def _is_called_alone(self, function: FunctionFacts, callers: Iterable[FunctionFacts]) -> bool:
        """True if something calls it, and all that does is alone; functions that call each other add nothing."""
        is_called = False
        for caller in callers:
            if self._may_call(caller, function):
                if caller not in self._alone:
                    return False
                is_called = True
        return is_called

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
