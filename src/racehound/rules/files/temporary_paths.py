"""Paths in the common temporary directory whose names can be told beforehand."""

from collections.abc import Iterable
from enum import Enum

from racehound.analysis.program import Program
from racehound.rules.files.clock_names import CLOCK, seconds_apart
from racehound.rules.files.common_paths import CHANCE, is_drawn, returned, values_of
from racehound.rules.files.file_names import FileNames
from racehound.source.events import Place, Shape, Value
from racehound.source.facts import FunctionFacts

_SHARED = ("/tmp", "/var/tmp")  # noqa: S108 - what to look for in the source of others
_JOINS = frozenset({"/", "+", "f", "%", "join", "joinpath"})
_SAME = frozenset({"Path", "PurePath", "str", "fspath", "abspath", "realpath", "resolve"})
_ONE = frozenset({"getuser", "getlogin", "getuid", "gethostname", "node"})
_PUT_TOGETHER = frozenset({"f", "+", "%", "str", "lower", "basename"})
_DEPTH = 5


class Sameness(Enum):
    FIXED = "the same in every run"
    KEYED = "the same in every run that works on the same thing"
    NUMBERED = "the same for all threads of a run"
    TIMED = "the same in all runs that begin in one second"


class TemporaryPaths:
    """Follows a path to the temporary directory, through variables, attributes, helpers and other modules."""

    def __init__(self, program: Program, names: FileNames) -> None:
        self._program = program
        self._names = names

    def of(self, function: FunctionFacts, value: Value) -> Sameness | None:
        """None for what is elsewhere, or has a name that nobody else can know."""
        return self._below(function, value, _DEPTH)

    def _below(self, function: FunctionFacts, value: Value, depth: int) -> Sameness | None:
        if value.shape is Shape.CONSTANT:
            return Sameness.FIXED if _is_below(value.name) else None
        if depth == 0:
            return None
        if value.shape is Shape.PLACE and value.place is not None:
            return self._all(values_of(self._program, self._names, function, value.place), depth - 1)
        if value.name in _JOINS:
            return self._joined(function, value, depth - 1)
        if value.name in _SAME and value.arguments:
            return self._below(function, value.arguments[0], depth - 1)
        if value.name == "format":
            return self._formatted(function, value, depth - 1)
        helper = self._program.kinds.callee(function, value.place) if value.place is not None else None
        return self._all(returned(helper), depth - 1) if isinstance(helper, FunctionFacts) else None

    def _all(self, given: Iterable[tuple[FunctionFacts, Value]], depth: int) -> Sameness | None:
        return _weakest([self._below(where, item, depth) for where, item in given])

    def _joined(self, function: FunctionFacts, value: Value, depth: int) -> Sameness | None:
        if len(value.arguments) < 2:
            return None
        base, *rest = (seconds_apart(function, part) for part in value.arguments)
        starts = self._begins(function, base, depth)
        if starts is None or any(is_drawn(function, part, signs=CHANCE) for part in rest):
            return None
        return _weakest([starts, *(self._part(function, part, depth) for part in rest)])

    def _begins(self, function: FunctionFacts, base: Value, depth: int) -> Sameness | None:
        if base.shape is Shape.CONSTANT and base.name.startswith(_SHARED):
            return Sameness.FIXED
        return Sameness.FIXED if self._is_directory(function, base, depth) else self._below(function, base, depth)

    def _part(self, function: FunctionFacts, part: Value, depth: int) -> Sameness | None:
        """A name that is written out is one; that of the user, or of a function, is one for each of them."""
        if part is CLOCK:
            return Sameness.TIMED
        if is_drawn(function, part):
            return Sameness.NUMBERED
        if part.shape is Shape.CONSTANT or part.name in _ONE or _is_called(part):
            return Sameness.FIXED
        if part.name in _PUT_TOGETHER and part.arguments and depth:
            return _weakest([self._part(function, item, depth - 1) for item in part.arguments])
        if part.shape is not Shape.PLACE or part.place is None or depth == 0:
            return Sameness.KEYED
        known = list(values_of(self._program, self._names, function, part.place))
        if any(is_drawn(where, item, signs=CHANCE) for where, item in known):
            return None
        if any(is_drawn(where, item) for where, item in known):
            return Sameness.NUMBERED
        fixed = bool(known) and all(item.shape is Shape.CONSTANT for _, item in known)
        return Sameness.FIXED if fixed else Sameness.KEYED

    def _formatted(self, function: FunctionFacts, value: Value, depth: int) -> Sameness | None:
        """`MARK.format(name)`, where `MARK` is the pattern."""
        place = value.place
        if (
            place is None
            or not place.attributes
            or any(is_drawn(function, part, signs=CHANCE) for part in value.arguments)
        ):
            return None
        pattern = Value(Shape.PLACE, place=Place(place.root, place.attributes[:-1]))
        parts = [self._part(function, item, depth) for item in value.arguments]
        return _weakest([self._below(function, pattern, depth), *parts])

    def _is_directory(self, function: FunctionFacts, value: Value, depth: int) -> bool:
        """True for the temporary directory itself."""
        if value.shape is Shape.CONSTANT:
            return value.name.rstrip("/") in _SHARED
        if value.name == "gettempdir":
            return True
        if value.name in _SAME and value.arguments:
            return self._is_directory(function, value.arguments[0], depth)
        if value.shape is not Shape.PLACE or value.place is None or depth == 0:
            return False
        given = list(values_of(self._program, self._names, function, value.place))
        return bool(given) and all(self._is_directory(where, item, depth - 1) for where, item in given)


def _is_called(part: Value) -> bool:
    """True for `function.__name__`."""
    return part.place is not None and part.place.attributes[-1:] == ("__name__",)


def _is_below(text: str) -> bool:
    return any(text.startswith(f"{directory}/") and len(text) > len(directory) + 1 for directory in _SHARED)


def _weakest(found: list[Sameness | None]) -> Sameness | None:
    if not found or None in found:
        return None
    return max((item for item in found if item is not None), key=_WEAKER.index)


_WEAKER = (Sameness.FIXED, Sameness.TIMED, Sameness.KEYED, Sameness.NUMBERED)
