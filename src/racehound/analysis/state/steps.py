"""What a function does to one field, the helpers that it calls on the same object included."""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import CHANGES, SELF, Action, Call, Decision, Exit, Place, Shape
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class Step(NamedTuple):
    """A use as seen from the function under view."""

    use: Use
    at: int
    """Index in the function under view: of the use itself, or of the call that leads to it."""
    key: str | None
    """The key in words of the function under view; None where the whole field is meant."""
    locks: int
    answers: bool
    """Its value is what the call at `at` returns."""

    @property
    def is_inside(self) -> bool:
        return self.use.index == self.at


Concern: TypeAlias = Callable[[FunctionFacts, AbstractSet[int]], bool]
"""Whether a question can be about a function that takes its steps at these events."""


class Steps:
    """Functions of one class or module, each with its uses of one field."""

    def __init__(self, program: Program, owner: ClassFacts | ModuleFacts) -> None:
        self._program = program
        self._owner = owner
        if isinstance(owner, ClassFacts):
            self.fields = program.fields.of_class(owner)
            self._functions = tuple(program.hierarchy.effective(owner))
        else:
            self.fields = program.fields.of_module(owner)
            self._functions = tuple(owner.functions[1:])
        self._returned: dict[FunctionFacts, frozenset[int]] = {}
        self._callers: dict[FunctionFacts, list[tuple[FunctionFacts, int, Call]]] | None = None

    def of(self, name: str, concern: Concern | None = None) -> Iterator[tuple[FunctionFacts, list[Step]]]:
        """Those functions that use the field and that the question may concern."""
        by_function: dict[FunctionFacts, list[Use]] = {}
        for use in self.fields[name]:
            by_function.setdefault(use.function, []).append(use)
        callers = self._find_callers()
        led: dict[FunctionFacts, list[tuple[int, Call, list[Use]]]] = {}
        for helper, uses in by_function.items():
            for function, index, call in callers.get(helper, ()):
                led.setdefault(function, []).append((index, call, uses))
        for function in dict.fromkeys((*by_function, *led)):
            own, calls = by_function.get(function, ()), led.get(function, ())
            if concern is None or concern(function, {use.index for use in own}.union(item[0] for item in calls)):
                steps = [Step(use, use.index, use.touch.key, use.locks, answers=True) for use in own]
                for index, call, uses in calls:
                    steps.extend(self._inlined(function, index, call, uses))
                steps.sort(key=lambda step: step.at)
                yield function, steps

    def _find_callers(self) -> dict[FunctionFacts, list[tuple[FunctionFacts, int, Call]]]:
        if self._callers is None:
            self._callers = {}
            names = {use.function.name for uses in self.fields.values() for use in uses}
            for function in self._calling(names) if names else ():
                for index, call, target in self._helpers(function, names):
                    self._callers.setdefault(target, []).append((function, index, call))
            for function, index, call, target in self._asked(names):
                self._callers.setdefault(target, []).append((function, index, call))
        return self._callers

    def _asked(self, names: set[str]) -> Iterator[tuple[FunctionFacts, int, Call, FunctionFacts]]:
        """Reading `self.is_open` runs the property of that name."""
        places = {Place(SELF, (name,)): helper for name in names if (helper := self._property(name)) is not None}
        for function in self._functions if places else ():
            for index, touch in self._program.fields.touches(function):
                helper = places.get(touch.place)
                if helper is not None and helper is not function and touch.action not in CHANGES:
                    yield function, index, Call(touch.place, helper.name, None, (), (), touch.span, 0), helper

    def _property(self, name: str) -> FunctionFacts | None:
        owner = self._owner
        return self._program.kinds.property_of(owner, name) if isinstance(owner, ClassFacts) else None

    def _calling(self, names: set[str]) -> Iterator[FunctionFacts]:
        """Functions with a call of one of the names."""
        calling: dict[ModuleFacts, set[FunctionFacts]] = {}
        for function in self._functions:
            module = function.module
            if module not in calling:
                called = names & module.callers.keys()
                calling[module] = {item for name in called for item in module.callers[name]}
            if function in calling[module]:
                yield function

    def _helpers(self, function: FunctionFacts, names: set[str]) -> Iterator[tuple[int, Call, FunctionFacts]]:
        for index, event in enumerate(function.events):
            if type(event) is not Call or event.method not in names or event.callee is None:
                continue
            root, attributes = event.callee
            is_own = root == SELF and len(attributes) == 1
            if is_own or (isinstance(self._owner, ModuleFacts) and not attributes):
                target = self._program.calls.target(function, event)
                if target is not None and target is not function:
                    yield index, event, target

    def _inlined(self, function: FunctionFacts, index: int, call: Call, uses: list[Use]) -> Iterator[Step]:
        held = self._program.locksets.at(function, index)
        for use in uses:
            answers = use.index in self._answers(use.function)
            yield Step(use, index, _renamed(use, call), use.locks | held, answers)

    def _answers(self, helper: FunctionFacts) -> frozenset[int]:
        """Events whose value a helper returns, or decides by whether it says yes or no."""
        if helper not in self._returned:
            exits = [event for event in helper.events if isinstance(event, Exit)]
            found = {source for event in exits for source in event.sources}
            if any(event.kind == "return" and event.value.name in {"True", "False"} for event in exits):
                decisions = (event for event in helper.events if isinstance(event, Decision))
                found.update(source for decision in decisions for source in decision.sources)
            self._returned[helper] = frozenset(found)
        return self._returned[helper]


def _renamed(use: Use, call: Call) -> str | None:
    """The key of a use in a helper, in words of its caller."""
    key, target = use.touch.key, use.function
    names = target.parameters[1:] if target.is_method else target.parameters
    for name, value in zip(names, call.arguments, strict=False):
        if key == f"[{name}]" and value.shape is Shape.PLACE:
            return f"[{value.place}]"
    return key if use.touch.action is Action.ITERATE or key is None else f"{key} of {target.name}"
