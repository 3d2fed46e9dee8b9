"""Files that nobody else knows of: temporary ones, what lies in a temporary directory, and what callers name."""

import re
from functools import lru_cache

from racehound.rules.files.file_names import FileNames, binds
from racehound.rules.files.file_steps import is_own, is_own_directory
from racehound.rules.locking.fresh_locks import source_of
from racehound.source.events import SELF, Place, Shape, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileCall

_DEPTH = 4
_CHANCE = re.compile(r"\b(uuid\d?|token_hex|token_urlsafe|getpid|randint|randrange|mkdtemp|mkstemp)\b")
_OWN_PLACE = re.compile(r"mkdtemp|mkstemp|Temporary(Directory|File)")
_JOINS = re.compile(r"join|concat", re.IGNORECASE)
_PARENTS = frozenset({"dirname", "parent"})


def is_private(names: FileNames, function: FunctionFacts, call: FileCall) -> bool:
    return is_own(call.path) or _is_drawn(function, call.path) or _is_made(names, function, call.value, _DEPTH)


def _is_drawn(function: FunctionFacts, path: str) -> bool:
    """True for a name that is made up by chance, or from the number of the process."""
    if _CHANCE.search(path):
        return True
    name = re.match(r"\w+$", path)
    if name is None or name[0] not in function.bound:
        return False
    given = _given(function).get(name[0], ())
    return bool(given) and all(_CHANCE.search(text) for text in given)


@lru_cache(maxsize=4)
def _given(function: FunctionFacts) -> dict[str, list[str]]:
    """What the lines of a function give to each name."""
    found: dict[str, list[str]] = {}
    for name, text in _GIVES.findall(source_of(function)):
        found.setdefault(name, []).append(text)
    return found


_GIVES = re.compile(r"^[ \t]*(\w+)[ \t]*=(?!=)(.*)$", re.MULTILINE)


def is_named_by_caller(function: FunctionFacts, value: Value) -> bool:
    """True for a file in a directory that whoever calls a public function names."""
    if function.name.startswith("_") and not function.name.endswith("__"):
        return False
    place = value.place
    values = [value]
    if value.shape is Shape.PLACE and place is not None and place.root in function.bound:
        values = [item for event in binds(function, place.root) for item in event.values]
    return bool(values) and all(_is_below_parameter(function, item) for item in values)


def _is_below_parameter(function: FunctionFacts, value: Value) -> bool:
    joins = value.name == "/" or (value.shape is Shape.CALL and _JOINS.search(value.name) is not None)
    directory = value.arguments[0].place if joins and value.arguments else None
    return directory is not None and directory.root in function.parameters


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


def _is_of_its_own(value: Value) -> bool:
    """True for `mkdtemp()`, and for what is joined to a temporary directory."""
    base = value.arguments[0].place if value.name in {"join", "joinpath", "/"} and value.arguments else None
    return bool(_OWN_PLACE.search(str(value.place))) or (base is not None and is_own_directory(str(base)))


def _sources(names: FileNames, function: FunctionFacts, place: Place) -> list[tuple[FunctionFacts, Value]]:
    """What a local variable or an attribute holds, or what callers give for a parameter."""
    if place.root == SELF and len(place.attributes) == 1:
        kept = names.kept(function, place.attributes[0])
        return kept if all(_is_of_its_own(value) for _, value in kept) else []
    if place.root in function.bound:
        return [(function, item) for event in binds(function, place.root) for item in event.values]
    return list(names.given(function, place.root)) if place.root in function.parameters else []
