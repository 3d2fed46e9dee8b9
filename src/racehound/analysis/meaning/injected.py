"""Arguments that a framework fetches for a handler: `hub: Hub = Depends(get_hub)`, or the server it is of."""

from collections.abc import Iterator

from racehound.analysis.meaning.applications import is_kept_by_application
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.kinds import Kind
from racehound.source.closures import scope_of
from racehound.source.events import Exit, Pause, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_INJECTORS = frozenset({"Depends", "Security", "Provide", "Inject"})
_CACHES = frozenset({"cache", "lru_cache", "cached", "singleton"})


def lasting_arguments(calls: Calls, function: FunctionFacts) -> frozenset[str]:
    """The parameters for which every call of the handler is given the same object."""
    body = function.module.functions[0]
    found = set()
    for name, default in function.defaults.items():
        if default.shape is Shape.CALL and default.name in _INJECTORS and default.arguments:
            provider = calls.function(body, default.arguments[0])
            if provider is not None and _gives_the_same(provider):
                found.add(name)
    return frozenset(found | set(_registering(calls, function)))


def _registering(calls: Calls, function: FunctionFacts) -> Iterator[str]:
    """`ls` of `@server.feature(...)` and `async def changed(ls: Server, ...)`, where `server = Server()`."""
    body = function.module.functions[0]
    made = frozenset[Kind]().union(*(calls.kinds.place(body, Place(place.root)) for place in function.decorators))
    classes = {kind for kind in made if isinstance(kind, ClassFacts)}
    for name in function.annotations if classes else ():
        if name in function.parameters and not classes.isdisjoint(calls.kinds.place(function, Place(name))):
            yield name


def _gives_the_same(provider: FunctionFacts) -> bool:
    if any((place.attributes or (place.root,))[-1] in _CACHES for place in provider.decorators):
        return True
    given = list(_given(provider))
    return bool(given) and all(_is_lasting(provider, value) for value in given)


def _given(provider: FunctionFacts) -> Iterator[Value]:
    for event in provider.events:
        returns = isinstance(event, Exit) and event.kind == "return"
        if isinstance(event, Exit | Pause) and (returns or (isinstance(event, Pause) and event.yields)):
            yield event.value


def _is_lasting(provider: FunctionFacts, value: Value) -> bool:
    """True for a variable of the module, and for what the application keeps."""
    if is_kept_by_application(value):
        return True
    place = value.place if value.shape is Shape.PLACE else None
    if place is None:
        return False
    scope = scope_of(provider, place.root)
    return scope is None or scope.is_module_body
