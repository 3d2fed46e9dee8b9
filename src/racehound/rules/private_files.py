"""Files that nobody else knows of: temporary ones, and all that lie in a temporary directory."""

from racehound.rules.file_names import FileNames, binds
from racehound.rules.file_steps import is_own, is_own_directory
from racehound.source.events import Place, Shape, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall

_DEPTH = 4
_PARENTS = frozenset({"dirname", "parent"})


def is_private(names: FileNames, function: FunctionFacts, call: FileCall) -> bool:
    return is_own(call.path) or _is_made(names, function, call.value, _DEPTH)


def _is_made(names: FileNames, function: FunctionFacts, value: Value, depth: int, *, above: bool = False) -> bool:
    """True if a path is made of a temporary one; what lies above a temporary file may be anybody's."""
    above = above or value.name in _PARENTS
    text = str(value.place) if value.place is not None else ""
    if is_own_directory(text) or (is_own(text) and not above):
        return True
    if any(_is_made(names, function, item, depth, above=above) for item in value.arguments[:1]):
        return True
    place = value.place
    if place is None or not depth or (value.shape is Shape.CALL and not place.attributes):
        return False
    made = _sources(names, function, place)
    return bool(made) and all(_is_made(names, where, item, depth - 1, above=above) for where, item in made)


def _sources(names: FileNames, function: FunctionFacts, place: Place) -> list[tuple[FunctionFacts, Value]]:
    """What a local variable holds, or what callers give for a parameter."""
    if place.root in function.bound:
        return [(function, item) for event in binds(function, place.root) for item in event.values]
    return list(names.given(function, place.root)) if place.root in function.parameters else []
