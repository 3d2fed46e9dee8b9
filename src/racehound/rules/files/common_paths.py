"""Where a path comes from: whether every run of the program works on the same file.

A command that is called twice at the same time is two processes with one home directory. What lies below it, in
the directory of the application or at a place that is written out, both of them find. What a caller names, what
lies in a temporary directory of its own and what has the number of the process in its name belongs to one.
"""

import re
from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.rules.files.file_names import FileNames, binds
from racehound.rules.files.file_reach import OF_MODULE
from racehound.source.events import HOMES, SELF, Exit, Place, Shape, Value
from racehound.source.facts import FunctionFacts, ModuleFacts

_DEPTH = 8
_ROOTS = ("/var/", "/run/", "/etc/", "/srv/", "/opt/", "~")
_BASES = re.compile(
    r"home|get_?app_?dir|(user|site)_(config|data|cache|state|log|runtime)_(dir|path)"
    r"|save_(config|data|cache)_path|get_xdg_\w+|xdg_\w+_home"
)
"""Calls that give a directory which the user, or the machine, has once."""
_JOINS = frozenset({"/", "+", "f", "%", "join", "joinpath", "with_name", "with_suffix", "format"})
_SAME = frozenset(
    {"Path", "PurePath", "str", "fspath", "abspath", "realpath", "resolve", "absolute", "expanduser"}
)
_FROM_OUTSIDE = frozenset({"get", "getenv", "pop"})
_NUMBERS = r"getpid|(?<![a-z])pid(?![a-z])"
_CHANCES = (
    r"uuid|token_(hex|urlsafe)|rand|mkdtemp|mkstemp|Temporary|get_ident|time_?stamp"
    r"|(?<![a-z])(time|now|strftime|monotonic|perf_counter)(?![a-z])|nonce|(?<![a-z])id(?![a-z])"
)
CHANCE = re.compile(_CHANCES, re.IGNORECASE)
DRAWN = re.compile(f"{_NUMBERS}|{_CHANCES}", re.IGNORECASE)
"""Names of what differs from run to run; by chance, it differs between the threads of a run as well."""


class CommonPaths:
    """Follows a path through variables, attributes, helpers and parameters to its root."""

    def __init__(self, program: Program, names: FileNames) -> None:
        self._program = program
        self._names = names

    def is_common(self, function: FunctionFacts, value: Value) -> bool:
        return self._is_common(function, value, _DEPTH)

    def _is_common(self, function: FunctionFacts, value: Value, depth: int) -> bool:
        if value.shape is Shape.CONSTANT:
            return value.name.startswith(_ROOTS)
        if depth == 0:
            return False
        if value.shape is Shape.PLACE and value.place is not None:
            return self._all(values_of(self._program, self._names, function, value.place), depth - 1)
        if value.name in _JOINS:
            return self._is_joined(function, value, depth - 1)
        if value.shape is Shape.CALL:
            return self._is_made(function, value, depth - 1)
        return False

    def _all(self, given: Iterator[tuple[FunctionFacts, Value]], depth: int) -> bool:
        """`directory or DEFAULT`: what nobody gives is the default."""
        known = [(where, item) for where, item in given if not self._is_never_given(where, item)]
        return bool(known) and all(self._is_common(where, item, depth) for where, item in known)

    def _is_never_given(self, function: FunctionFacts, value: Value) -> bool:
        place = value.place
        if value.shape is not Shape.PLACE or place is None or place.attributes or place.root in function.bound:
            return False
        return place.root in function.parameters and not any(self._names.given(function, place.root))

    def _is_joined(self, function: FunctionFacts, value: Value, depth: int) -> bool:
        """`ROOT / name`: below a directory of all, unless the name is drawn."""
        base = _receiver(value)
        parts = value.arguments if base is None or value.name == "join" else (base, *value.arguments)
        if not parts or any(is_drawn(function, part) for part in parts[1:]):
            return False
        return self._is_common(function, parts[0], depth)

    def _is_made(self, function: FunctionFacts, value: Value, depth: int) -> bool:
        if _BASES.fullmatch(value.name):
            return True
        if value.name in _SAME:
            base = value.arguments[0] if value.arguments else _receiver(value)
            return value.name == "expanduser" if base is None else self._is_common(function, base, depth)
        if value.name in _FROM_OUTSIDE:
            named = value.arguments[:1]
            return any(item.name.startswith(HOMES) for item in named) or (
                len(value.arguments) > 1 and self._is_common(function, value.arguments[1], depth)
            )
        helper = self._program.kinds.callee(function, value.place) if value.place is not None else None
        return isinstance(helper, FunctionFacts) and self._all(returned(helper), depth)


def is_drawn(function: FunctionFacts, value: Value, depth: int = 2, *, signs: re.Pattern[str] = DRAWN) -> bool:
    """True for a part of a path that another run has otherwise: the number of the process, a time, a chance."""
    text = f"{value.name} {value.place or ''}"
    if (value.shape is not Shape.CONSTANT and signs.search(text)) or any(
        is_drawn(function, item, depth, signs=signs) for item in value.arguments
    ):
        return True
    place = value.place
    if depth == 0 or value.shape is not Shape.PLACE or place is None or place.root not in function.bound:
        return False
    return any(
        is_drawn(function, item, depth - 1, signs=signs)
        for event in binds(function, place.root)
        for item in event.values
    )


def is_named_anew(
    program: Program, names: FileNames, function: FunctionFacts, value: Value, depth: int = 4
) -> bool:
    """True for a path with a part that may be drawn, or be the time: each run has one of its own."""
    if is_drawn(function, value):
        return True
    parts = value.arguments
    if depth and any(is_named_anew(program, names, function, item, depth - 1) for item in parts):
        return True
    place = value.place if value.shape is Shape.PLACE else None
    given = values_of(program, names, function, place) if place is not None and depth else ()
    return any(is_named_anew(program, names, where, item, depth - 1) for where, item in given)


def values_of(
    program: Program, names: FileNames, function: FunctionFacts, place: Place
) -> Iterator[tuple[FunctionFacts, Value]]:
    """What a variable, an attribute or a parameter is given, None left out."""
    found = _values(program, names, function, place)
    return ((where, value) for where, value in found if value.name != "None")


def _values(
    program: Program, names: FileNames, function: FunctionFacts, place: Place
) -> Iterator[tuple[FunctionFacts, Value]]:
    root, attributes = place
    if root == SELF and len(attributes) == 1:
        yield from names.kept(function, attributes[0])
        yield from _properties(program, function, attributes[0])
    elif not attributes and root in function.bound:
        yield from ((function, value) for event in binds(function, root) for value in event.values)
    elif not attributes and root in function.parameters:
        yield from names.given(function, root)
    elif not attributes and root in function.module.variables:
        yield from _of_module(function.module, root)
    elif OF_MODULE in root:
        path, _, name = root.rpartition(OF_MODULE)
        yield from (
            item for module in program.modules if _is_at(module, path) for item in _of_module(module, name)
        )
    elif root in function.module.imports:
        found = program.kinds.variable(function.module, place)
        if found is not None and not found.attributes:
            yield from _of_module(found.module, found.name)


def _is_at(module: ModuleFacts, path: str) -> bool:
    return module.path.removesuffix(".py") == path


def _of_module(module: ModuleFacts, name: str) -> Iterator[tuple[FunctionFacts, Value]]:
    body = module.functions[0]
    yield from ((body, value) for value in module.variables.get(name, ()))


def _properties(program: Program, function: FunctionFacts, name: str) -> Iterator[tuple[FunctionFacts, Value]]:
    getter = program.kinds.property_of(function.owner, name) if function.owner is not None else None
    return returned(getter) if getter is not None else iter(())


def returned(helper: FunctionFacts) -> Iterator[tuple[FunctionFacts, Value]]:
    for event in helper.events:
        if isinstance(event, Exit) and event.kind == "return":
            yield helper, event.value


def _receiver(value: Value) -> Value | None:
    """`ROOT` of `ROOT.joinpath(name)`; `os` of `os.path.join` is none."""
    place = value.place
    if value.shape is not Shape.CALL or place is None or not place.attributes:
        return None
    if place.root in {"os", "path", "Path", "pathlib", "posixpath"}:
        return None
    return Value(Shape.PLACE, place=Place(place.root, place.attributes[:-1]))
