"""Which file a call works on, told by how its path was made: two functions that name it alike mean one file."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from racehound.analysis.files.listings import listed_directory
from racehound.analysis.meaning.arguments import given
from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_test
from racehound.rules.files.given_paths import parameter_with_place
from racehound.source.events import SELF, Bind, Call, Exit, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts
from racehound.source.filecalls import FileCall, FileVerb

_DEPTH = 3
_DIRECTORY = "in "
"""Begins the name of a directory that a file lies in: less than the name of the file itself."""

_GIVEN = "(...)"
"""Ends the name of a helper that is told which file is meant: two calls that are not written alike mean two."""

_CONSTANT = "/'"
"""Stands before a name that is written out."""


class FileNames:
    """Follows paths through local variables, helpers that make them, and parameters."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[FunctionFacts, FileCall], frozenset[str]] = {}
        self._reads: dict[ModuleFacts, list[tuple[FunctionFacts, FileCall]]] = {}
        self._read_as: dict[ModuleFacts, dict[str, list[int]]] = {}
        self._callers: dict[FunctionFacts | ClassFacts, list[FunctionFacts]] = {}

    def of(self, function: FunctionFacts, call: FileCall) -> frozenset[str]:
        """Names of the file; empty where only the function itself knows."""
        key = (function, call)
        if key not in self._known:
            names = self._value(function, call.value, _DEPTH)
            direct = call.path if call.value.shape is Shape.CALL else ""
            self._known[key] = frozenset(f"{name}{direct}" if name.endswith(_GIVEN) else name for name in names)
        return self._known[key]

    def reads(self, module: ModuleFacts) -> list[tuple[FunctionFacts, FileCall]]:
        if module not in self._reads:
            steps = ((function, call) for function in module.functions for call in function.files)
            self._reads[module] = [step for step in steps if step[1].verb is FileVerb.READ]
        return self._reads[module]

    def reads_of(
        self, module: ModuleFacts, names: frozenset[str], path: str
    ) -> Iterator[tuple[FunctionFacts, FileCall]]:
        """Those reads that have one of the names, or the path as it is written."""
        if module not in self._read_as:
            found: dict[str, list[int]] = {}
            self._read_as[module] = found
            for number, (function, call) in enumerate(self.reads(module)):
                for name in {*self.of(function, call), call.path}:
                    found.setdefault(name, []).append(number)
        known = self._read_as[module]
        for number in sorted({number for name in (*names, path) for number in known.get(name, ())}):
            yield self.reads(module)[number]

    def _value(self, function: FunctionFacts, value: Value, depth: int) -> Iterator[str]:
        if value.shape is Shape.PLACE and value.place is not None:
            yield from self._place(function, value.place, depth)
        elif value.shape is Shape.CALL:
            yield from self._made(function, value, depth)
        elif value.name == "/":
            yield from self._joined(function, value)

    def _place(self, function: FunctionFacts, place: Place, depth: int) -> Iterator[str]:
        if place.root == SELF and place.attributes:
            yield f"{function.owner}:{place}"
            if len(place.attributes) == 1 and depth:
                yield from self._of_maker(function, place.attributes[0], depth - 1)
        elif place.root in function.bound and (listed := listed_directory(function, place.root)) is not None:
            yield from self._within(function, listed)
        elif place.root in function.bound and place.attributes:
            return  # `arguments.output` is another file than `arguments.input`
        elif place.root in function.bound and depth:
            for event in binds(function, place.root):
                for value in event.values:
                    yield from self._value(function, value, depth - 1)
        elif place.root in function.parameters and not place.attributes and depth:
            yield from self._passed(function, place.root, depth - 1)
        elif place.root in function.module.variables:
            yield f"{function.module}:{place}"

    def _of_maker(self, function: FunctionFacts, name: str, depth: int) -> Iterator[str]:
        """The names that a path had before the constructor kept it."""
        for where, value in self.kept(function, name):
            place = value.place if value.shape is Shape.PLACE else None
            if place is not None and not place.attributes and place.root in where.parameters:
                yield from self._passed(where, place.root, depth)

    def _made(self, function: FunctionFacts, value: Value, depth: int) -> Iterator[str]:
        """`self._path_of(key)`: whatever the helper returns, under the name of the helper.

        One of another module that joins nothing turns any path into another form, and says nothing of which it is.
        """
        if value.name in {"join", "joinpath"}:
            yield from self._joined(function, value)
            return
        if value.name in {"Path", "str", "fspath"} and len(value.arguments) == 1:
            yield from self._value(function, value.arguments[0], depth)
            return
        helper = self._program.kinds.callee(function, value.place) if value.place is not None else None
        if isinstance(helper, FunctionFacts) and depth and (helper.module is function.module or _joins(helper)):
            if _knows_the_place(helper):
                yield from self._by_helper(function, helper, value)
            for event in helper.events:
                if isinstance(event, Exit) and event.kind == "return":
                    yield from self._value(helper, event.value, depth - 1)

    def _by_helper(self, function: FunctionFacts, helper: FunctionFacts, call: Value) -> Iterator[str]:
        """A helper that is told by a variable where the file lies means one file for two who name it alike."""
        place = self._told(helper, call)
        if place is not None and not _is_kept(function, place):
            yield from [f"{helper}({place})"] if _joins(helper) else []
            return
        constant = any(item.shape is Shape.CONSTANT for item in call.arguments)
        yield f"{helper}{_GIVEN}" if constant else f"{helper}()"

    def _told(self, helper: FunctionFacts, call: Value) -> Place | None:
        parameter = parameter_with_place(self._program, helper)
        value = dict(given(helper, call)).get(parameter) if parameter is not None else None
        return value.place if value is not None and value.shape is Shape.PLACE else None

    def _joined(self, function: FunctionFacts, value: Value) -> Iterator[str]:
        """`join(self.directory, name)` lies in the directory; with a constant name it is one file.

        Of a directory below another one, only how its path is made can be told.
        """
        place = value.arguments[0].place if value.arguments else None
        if place is not None:
            yield from self._within(function, place)
        last = value.arguments[-1] if len(value.arguments) > 1 else None
        if last is not None and last.name.startswith("'"):
            within = _name_of_directory(function, value.arguments[0])
            yield f"{function.module}:{within}{_CONSTANT}{last.name[1:]}"

    def _within(self, function: FunctionFacts, directory: Place) -> Iterator[str]:
        owner = function.module if function.owner is None else function.owner
        if _is_kept(function, directory):
            yield f"{_DIRECTORY}{owner}:{directory}"

    def _passed(self, function: FunctionFacts, parameter: str, depth: int) -> Iterator[str]:
        """What callers give for a parameter: the same variable for two functions is one file."""
        for caller, value in self.given(function, parameter):
            if value.place is not None and value.shape is Shape.PLACE:
                yield f"{caller}:{value.place}"
            yield from self._value(caller, value, depth)

    def given(self, function: FunctionFacts, parameter: str) -> Iterator[tuple[FunctionFacts, Value]]:
        """The values, each with the function that gives it; for a constructor, what objects are made with."""
        if parameter in function.defaults:
            yield function.module.functions[0], function.defaults[parameter]
        if function.name != "__init__" or function.owner is None:
            yield from self._given(function, function, parameter)
            return
        hierarchy = self._program.hierarchy
        for made in hierarchy.family(function.owner):
            if hierarchy.method(made, function.name) is function:
                yield from self._given(made, function, parameter)

    def _given(
        self, called: FunctionFacts | ClassFacts, function: FunctionFacts, parameter: str
    ) -> Iterator[tuple[FunctionFacts, Value]]:
        for caller in self._callers_of(called):
            for _, event in caller.calls_of(called.name):
                if event.callee is not None and self._program.kinds.callee(caller, event.callee) is called:
                    yield from ((caller, value) for word, value in given(function, event) if word == parameter)

    def _callers_of(self, called: FunctionFacts | ClassFacts) -> list[FunctionFacts]:
        """Those of its own module, and else those of others; a test gives what no run of the program gives."""
        if called not in self._callers:
            own = called.module.callers.get(called.name, [])
            others = [] if own else [module for module in self._program.modules if called.name in module.callers]
            found = own + [
                item for module in others if not is_test(module) for item in module.callers[called.name]
            ]
            self._callers[called] = list(dict.fromkeys(found))
        return self._callers[called]

    def kept(self, function: FunctionFacts, name: str) -> list[tuple[FunctionFacts, Value]]:
        """What is ever stored in an attribute, but None."""
        if function.owner is None:
            return []
        values = self._program.kinds.field_values(function.owner, name)
        return [(where, value) for where, value in values if value.name != "None"]


def _knows_the_place(helper: FunctionFacts) -> bool:
    """True if the path comes from more than what the helper is given: its object, a variable of the module."""
    parameters = helper.parameters[1:] if helper.is_method else helper.parameters
    if not parameters or helper.is_method or helper.owner is not None:
        return True
    return any(name in helper.module.variables or name in helper.module.imports for name in helper.loads)


def _name_of_directory(function: FunctionFacts, value: Value) -> str:
    """Directories that are called differently are two: `join(target, "README")` and `join(cache, "README")`.

    A variable goes by the helper that gives it: `cache_dir = get_cache_dir()`.
    """
    place = value.place if value.shape is Shape.PLACE else None
    if place is not None and not place.attributes:
        made = [item for event in binds(function, place.root) for item in event.values if item.shape is Shape.CALL]
        value = made[0] if len(made) == 1 else value
    name = value.name if value.shape is Shape.CALL or place is None else (place.attributes or (place.root,))[-1]
    return name.removeprefix("get_").strip("_").lower()


def _is_kept(function: FunctionFacts, place: Place) -> bool:
    return place.root == SELF or place.root in function.module.variables


def _joins(helper: FunctionFacts) -> bool:
    return any(isinstance(event, Call) and event.method in {"join", "joinpath"} for event in helper.events)


_BESIDE = frozenset({"with_suffix", "with_name", "with_stem"})
"""Methods of a path that name a file beside it."""


def is_below_lasting(function: FunctionFacts, value: Value) -> bool:
    """True for `join(DIRECTORY, name)`, also by way of a local variable: all who come find their files there."""
    place = value.place
    if value.shape is Shape.PLACE and place is not None and not place.attributes and place.root in function.bound:
        values = [item for event in binds(function, place.root) for item in event.values]
        return bool(values) and all(is_below_lasting(function, item) for item in values if item != value)
    joins = value.name in {"/", "f", "+"} or (value.shape is Shape.CALL and value.name in {"join", "joinpath"})
    base = value.arguments[0].place if joins and value.arguments else None
    if value.shape is Shape.CALL and value.name in _BESIDE:
        base = place
    return base is not None and (base.root == SELF or base.root in function.module.variables)


def binds(function: FunctionFacts, name: str) -> Sequence[Bind]:
    return _binds_by_name(function).get(name, ())


@lru_cache(maxsize=4)
def _binds_by_name(function: FunctionFacts) -> dict[str, list[Bind]]:
    """Rules ask of one function after the other, of each for many names."""
    found: dict[str, list[Bind]] = {}
    for event in function.events:
        if isinstance(event, Bind):
            found.setdefault(event.name, []).append(event)
    return found


def same_file(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return any(not name.startswith(_DIRECTORY) for name in ours & theirs)


def may_be_same_file(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Also true for two files of one directory, unless one of them has a name of its own."""
    named = any(_CONSTANT in name for name in ours | theirs)
    return same_file(ours, theirs) if named else bool(ours & theirs)
