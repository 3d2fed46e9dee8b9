"""Functions that stand in for others: whoever calls the decorated function runs them, on one object."""

import re
from collections.abc import Iterator

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.events import SELF, Acquire, Action, Bind, Call, Exit, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts


def wrappers(hierarchy: Hierarchy, owner: ClassFacts) -> Iterator[FunctionFacts]:
    """Functions nested in a method that hands them out, and that call what the method was given.

    Those with an object of their own become methods: what they keep is kept by the object they are called on.
    """
    for function in hierarchy.functions(owner):
        if function.is_method or function.owner is not owner or is_made_method(function):
            continue
        if is_handed_out(function) and _calls_on(function):
            yield function


def stand_ins(decorator: FunctionFacts) -> Iterator[FunctionFacts]:
    """Functions that a decorator returns, or that what it returns does: they run in place of the decorated one."""
    for function in decorator.module.functions:
        if function.parent is decorator and is_handed_out(function):
            inner = list(stand_ins(function))
            yield from inner or [function]


def is_handed_out(function: FunctionFacts) -> bool:
    """True if the function around it returns it, itself or in what it builds from it."""
    outer = function.parent
    if outer is None or outer.is_module_body:
        return False
    exits = (event.value for event in outer.events if isinstance(event, Exit) and event.kind == "return")
    return any(_names(value, function, outer) for value in exits)


def is_made_method(function: FunctionFacts) -> bool:
    """True for a function with an object of its own that a class makes for itself: `log = _make("log")`."""
    return function.owner is not None and not function.is_method and function.parameters[:1] in _OBJECT


_OBJECT = {("self",), ("_self",)}


def _names(value: Value, function: FunctionFacts, outer: FunctionFacts, depth: int = 2) -> bool:
    if value.shape is Shape.FUNCTION:
        return value.name == function.qualified_name
    if value.shape is Shape.CALL:
        return any(_names(item, function, outer, depth) for item in value.arguments)
    if value.place == Place(function.name):
        return True
    bound = value.place.root if value.place is not None and depth else None
    binds = (event for event in outer.events if isinstance(event, Bind) and event.name == bound)
    return any(_names(item, function, outer, depth - 1) for bind in binds for item in bind.values)


def _calls_on(function: FunctionFacts) -> bool:
    """True if it calls a parameter of its own or of a function around it, or has its object do so."""
    names: set[str] = set()
    scope: FunctionFacts | None = function
    while scope is not None and not scope.is_module_body:
        names.update(scope.parameters)
        scope = scope.parent
    calls = [event for event in function.events if isinstance(event, Call) and event.callee is not None]
    return any(
        (call.callee.root in names and not call.callee.attributes)
        or (call.callee.root == SELF and _hands_on(call, names - set(function.parameters)))
        for call in calls
        if call.callee is not None
    )


def _hands_on(call: Call, names: set[str]) -> bool:
    """True for `self._try(function)`, with what the function around was given."""
    return any(value.place is not None and str(value.place) in names for value in call.arguments)


def enters_itself(function: FunctionFacts) -> Iterator[int]:
    """Where `with self:` stands."""
    for index, event in enumerate(function.events):
        if isinstance(event, Acquire) and event.value.place == Place(SELF) and event.value.shape is Shape.PLACE:
            yield index


def is_decorated_function(hierarchy: Hierarchy, owner: ClassFacts) -> bool:
    """True for a class whose objects stand in for a function: what the constructor was given, `__call__` calls."""
    start, call = hierarchy.method(owner, "__init__"), hierarchy.method(owner, "__call__")
    if start is None or call is None:
        return False
    kept = {
        event.place.attributes[0]
        for event in start.events
        if isinstance(event, Touch) and event.action is Action.WRITE and _is_parameter(start, event)
    }
    wrapped = {Place(SELF, (name,)) for name in kept}
    calls = [event for event in call.events if isinstance(event, Call) and event.callee in wrapped]
    return bool(calls) and not any(_gives_itself(event) for event in calls)


def _gives_itself(call: Call) -> bool:
    """`self.app(self)`: the object is what belongs to the call, and there is one for each."""
    return any(value.place == Place(SELF) for value in call.arguments)


def _is_parameter(function: FunctionFacts, touch: Touch) -> bool:
    first = [name for name in function.parameters[1 : 1 + _FOREMOST] if _CALLED.fullmatch(name)]
    return touch.place.root == SELF and any(
        value.place is not None and value.place.root in first for value in touch.values
    )


_CALLED = re.compile(
    r"_*(\w+_)?(f|fn|fun|func|function|method|call|callable|callback|wrapped|target|handler|view|endpoint|action|"
    r"coro|coroutine|task|job|app|application|get_response|inner)_*"
)
"""What stands for a function of the program; a metric, a formatter or a column is called by whoever has it."""
_FOREMOST = 2
"""What a constructor is given after so many others is a detail of what it makes."""
