"""What a target means: `path.py::Name` or `package.module:Name`, found by reading the file, never running it."""

import ast
import difflib
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from racehound.errors import UsageError
from racehound.pipeline.exports import Definition, definitions_in, where_defined

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Named:
    """A class, a function of a module, or a method of a class."""

    path: Path
    class_name: str | None
    function: str | None


def find_target(target: str) -> Named:
    """The file that a target names, and the class or function in it."""
    place, separator, name = target.partition("::")
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
    sys.path.insert(0, str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    finally:
        sys.path.pop(0)
    if spec is None:
        raise UsageError(f"there is no module {module}", hint="name a module that can be imported from here")
    if spec.origin is None or not spec.origin.endswith(".py"):
        raise UsageError(
            f"the module {module} has no Python source to observe", hint="name one that is written in Python"
        )
    return Path(relative(spec.origin))


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
    return f"there is {shown}" if shown else "write path.py::Name as the file defines it"


def relative(path: str) -> str:
    """As seen from here, where it is below."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path
