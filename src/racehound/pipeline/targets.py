"""What a target means, found by reading files, never running them.

It is `path.py::Name`, `package.module:Name`, or `findings.json::FINGERPRINT`.
"""

import ast
import difflib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from racehound.errors import UsageError
from racehound.pipeline.exports import Definition, definitions_in, where_defined
from racehound.pipeline.findings import Accused, accused_by


@dataclass(frozen=True, slots=True)
class Named:
    """A class, a function of a module, or a method of a class."""

    path: Path
    class_name: str | None
    function: str | None
    accused: Accused | None = None
    """What a finding says of it, where that is the target."""

    @property
    def functions(self) -> tuple[str, ...]:
        if self.accused is not None:
            return self.accused.functions
        return (self.function,) if self.function else ()


def find_target(target: str) -> Named:
    """The file that a target names, and the class or function in it."""
    place, separator, name = target.partition("::")
    if place.endswith(".json"):
        accused = accused_by(Path(place), name)
        return Named(accused.path, accused.class_name, None, accused)
    if not separator:
        place, separator, name = target.partition(":")
    if not name:
        raise UsageError(f"{target} names no class or function", hint="write path.py::Name or package.module:Name")
    path, name = where_defined(_file(place), name)
    chain = _definitions(path, name)
    classes = [node.name for node in chain if isinstance(node, ast.ClassDef)]
    function = None if isinstance(chain[-1], ast.ClassDef) else chain[-1].name
    if len(classes) + (function is not None) < len(chain):
        raise UsageError(f"{name} is inside a function", hint="name something that can be imported")
    return Named(path, ".".join(classes) or None, function)


def _file(place: str) -> Path:
    path = Path(place)
    if not place.endswith(".py"):
        return _file_of_module(place)
    if not path.is_file():
        raise UsageError(f"{place} does not exist", hint="name a file, as in path.py::Name")
    return path


def _file_of_module(module: str) -> Path:
    spec = _spec_of(module)
    if spec is None:
        raise UsageError(f"there is no module {module}", hint="name a module that can be imported from here")
    if spec.origin is None or not spec.origin.endswith(".py"):
        raise UsageError(
            f"the module {module} has no Python source to observe", hint="name one that is written in Python"
        )
    return Path(relative(spec.origin))


def _spec_of(module: str) -> ModuleSpec | None:
    """Where a module is to be found, without importing the packages that it is in: they are code under proof."""
    name, _, rest = module.partition(".")
    spec = PathFinder.find_spec(name, [str(Path.cwd())]) or _found(name, None)
    while rest and spec is not None:
        part, _, rest = rest.partition(".")
        name = f"{name}.{part}"
        places = spec.submodule_search_locations
        spec = None if places is None else _found(name, places)
    return spec or getattr(sys.modules.get(module), "__spec__", None)  # `os.path` is found in no place


def _found(name: str, places: Sequence[str] | None) -> ModuleSpec | None:
    finders = (finder.find_spec(name, places) for finder in sys.meta_path if hasattr(finder, "find_spec"))
    return next(filter(None, finders), None)


def _definitions(path: Path, name: str) -> list[Definition]:
    """From the outermost class to what is named."""
    try:
        scope: Sequence[ast.stmt] = ast.parse(path.read_bytes(), filename=str(path)).body
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as Python: {error}") from error
    found: list[Definition] = []
    for part in name.split("."):
        named = definitions_in(scope)
        if part not in named:
            raise UsageError(f"{path} has no class or function {name}", hint=_hint(part, named))
        found.append(named[part])
        scope = named[part].body
    return found


def _hint(part: str, named: dict[str, Definition]) -> str:
    near = difflib.get_close_matches(part, named, n=1)
    if near:
        return f"did you mean {near[0]}?"
    shown = ", ".join(list(named)[:6])
    return f"it has {shown}" if shown else "write path.py::Name as the file defines it"


def relative(path: str) -> str:
    """As seen from here, where it is below."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path
