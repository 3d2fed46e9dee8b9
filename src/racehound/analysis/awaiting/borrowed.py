"""Resources that a coroutine uses without being given them: as a variable around it, of the module, or a field."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import SELF, Acquire, Call, Place
from racehound.source.facts import FunctionFacts

_DEPTH = 2
"""How many calls lie between the coroutine and the use, at most."""


def borrows(
    calls: Calls, lender: FunctionFacts, target: FunctionFacts, names: AbstractSet[str], resource: Place | None
) -> bool:
    """True if the coroutine, or a helper it calls, works with what the lender knows by these names."""
    seen = {target}
    layer = [target]
    for _ in range(_DEPTH + 1):
        for function in layer:
            places = set(_visible(lender, function, names, resource))
            if any(_enters(function, place) for place in places):
                return False
            if any(_works_with(function, place) for place in places):
                return True
        layer = [step for function in layer for step in _helpers(calls, function) if step not in seen]
        seen.update(layer)
    return False


def _visible(
    lender: FunctionFacts, user: FunctionFacts, names: AbstractSet[str], resource: Place | None
) -> Iterator[Place]:
    """The places by which the user knows the same thing."""
    if resource is not None and resource.root == SELF:
        if user.owner is not None and user.owner is lender.owner:
            yield resource
        return
    own = {*lender.bound, *lender.parameters} - lender.shared_names
    hidden = _hidden(lender, user)
    for name in names:
        if hidden is not None and name in own and name not in hidden:
            yield Place(name)
    if resource is not None and lender.module is user.module and _is_global(lender, user, name=resource.root):
        yield resource


def _hidden(lender: FunctionFacts, user: FunctionFacts) -> set[str] | None:
    """Names that mean something else in a nested function; None where it is not nested in the lender."""
    found: set[str] = set()
    scope: FunctionFacts | None = user
    while scope is not None and scope is not lender:
        found |= {*scope.bound, *scope.parameters}
        scope = scope.parent
    return None if scope is None or scope is user else found


def _is_global(*functions: FunctionFacts, name: str) -> bool:
    """True if all of them mean the variable of the module by the name."""
    scopes = (scope for function in functions for scope in _scopes(function))
    return all(name not in scope.parameters and name not in scope.bound - scope.shared_names for scope in scopes)


def _scopes(function: FunctionFacts) -> Iterator[FunctionFacts]:
    scope: FunctionFacts | None = function
    while scope is not None and not scope.is_module_body:
        yield scope
        scope = scope.parent


def _enters(function: FunctionFacts, place: Place) -> bool:
    """True if it opens the resource itself, so that it does not need the block."""
    return any(isinstance(event, Acquire) and event.value.place == place for event in function.events)


def _works_with(function: FunctionFacts, place: Place) -> bool:
    return any(isinstance(event, Call) and _is_used_by(event, place) for event in function.events)


def _is_used_by(call: Call, place: Place) -> bool:
    callee, depth = call.callee, len(place.attributes)
    if callee is not None and callee.root == place.root and len(callee.attributes) > depth:
        return callee.attributes[:depth] == place.attributes
    given = (*call.arguments, *(value for _, value in call.keywords))
    return any(value.place == place for value in given)


def _helpers(calls: Calls, function: FunctionFacts) -> Iterator[FunctionFacts]:
    for event in function.events:
        if isinstance(event, Call):
            target = calls.target(function, event)
            if target is not None:
                yield target
