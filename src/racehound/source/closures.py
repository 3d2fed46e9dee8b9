"""Variables that a function shares with others: those of the functions around it, and what it is started with."""

import re
from collections.abc import Iterator

from racehound.source.events import Shape, Value
from racehound.source.facts import MODULE_BODY, FunctionFacts

_MAKERS = frozenset({"dict", "list", "set", "bytearray", "defaultdict", "OrderedDict", "Counter", "WeakSet"})
_NOTHING: frozenset[str] = frozenset()
_STARTERS = ("target=", "function=", "submit(", "start_new_thread(", "to_thread(")
_STARTED = re.compile(r"\s*(?:\w+\.)*(\w+)")


def started_names(text: str) -> frozenset[str]:
    """Names of functions that a module hands to threads, as far as its text shows."""
    found: list[str] = []
    end = 0
    for begin, behind in sorted(place for word in _STARTERS for place in _places(word, text)):
        match = _STARTED.match(text, behind) if begin >= end else None
        if match is not None:
            found.append(match[1])
            end = match.end()
    return frozenset(found) if found else _NOTHING


def _places(word: str, text: str) -> Iterator[tuple[int, int]]:
    """Where it stands as a whole word; to search for a word is far faster than to search for a pattern."""
    at = text.find(word)
    while at >= 0:
        behind = at + len(word)
        if not at or not (text[at - 1].isalnum() or text[at - 1] == "_"):
            yield at, behind
        at = text.find(word, behind)


def outer_state(function: FunctionFacts) -> frozenset[str]:
    """Names of numbers, flags and containers that the functions around have bound so far.

    Functions, parameters and objects are left out: what they are called by is seldom changed.
    """
    scope, found = function.parent, _NOTHING
    if scope is None or scope.is_module_body:
        return found
    hidden = set(function.parameters)
    while scope is not None and not scope.is_module_body:
        found |= {name for name in _state(scope) if name not in hidden}
        hidden |= {*scope.bound, *scope.parameters}
        scope = scope.parent
    return found


def _state(scope: FunctionFacts) -> list[str]:
    return [name for name, values in scope.bindings.items() if all(map(_is_state, values))]


def _is_state(value: Value) -> bool:
    if value.shape is Shape.CALL:
        return value.name in _MAKERS
    return value.shape in {Shape.CONSTANT, Shape.CONTAINER}


def scope_of(function: FunctionFacts, name: str) -> FunctionFacts | None:
    """The function, this or an outer one, whose local variable a name is."""
    scope: FunctionFacts | None = function
    while scope is not None and scope.qualified_name != MODULE_BODY:
        if name in scope.bound or name in scope.parameters:
            return scope
        scope = scope.parent
    return None


def scopes_around(function: FunctionFacts) -> list[FunctionFacts]:
    """The functions that a function is nested in, from the inside out."""
    found: list[FunctionFacts] = []
    scope = function.parent
    while scope is not None and not scope.is_module_body:
        found.append(scope)
        scope = scope.parent
    return found
