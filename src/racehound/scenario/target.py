"""Finding and importing the code that a proof is about."""

import importlib
import inspect
import sys
import types
from dataclasses import dataclass
from pathlib import Path

from racehound.errors import HarnessError
from racehound.scenario.absent import ABSENT

_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Directories that packages are installed into; one without `__init__.py` belongs to the name as well there."""


@dataclass(frozen=True, slots=True)
class ModuleName:
    """How a file is imported: its dotted name, and the directory from which that name leads to it."""

    name: str
    root: Path


def module_name_of(path: Path) -> ModuleName:
    """The name under which a file's package knows it; a lone file is a top-level module."""
    resolved = path.resolve()
    parts = [] if resolved.stem == "__init__" else [resolved.stem]
    directory = resolved.parent
    while (directory / "__init__.py").is_file():
        parts.insert(0, directory.name)
        directory = directory.parent
    root = next((place for place in (directory, *directory.parents) if place.name in _INSTALLED), directory)
    return ModuleName(".".join((*directory.relative_to(root).parts, *parts)), root)


def import_target(name: ModuleName) -> types.ModuleType:
    """The module, imported with its root first on the path."""
    sys.path.insert(0, str(name.root))
    try:
        return _with_absent_packages(name)
    except SystemExit as error:
        raise HarnessError(f"importing {name.name} exits with status {error.code}") from error
    except Exception as error:
        raise HarnessError(f"{name.name} cannot be imported: {type(error).__name__}: {error}") from error


def _with_absent_packages(name: ModuleName) -> types.ModuleType:
    """The module, with something made up for each package that it needs and that is not installed."""
    if ABSENT not in sys.meta_path:
        sys.meta_path.append(ABSENT)
    while True:
        try:
            return importlib.import_module(name.name)
        except ModuleNotFoundError as error:
            if not ABSENT.make_up(error, name.root):
                raise


def find_class(module: types.ModuleType, qualname: str) -> type:
    """A class by its qualified name within the module."""
    found: object = module
    for part in qualname.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type):
        known = sorted(name for name, value in vars(module).items() if isinstance(value, type))
        hint = f"its classes are {', '.join(known)}" if known else "it has no classes"
        raise HarnessError(f"{module.__name__} has no class {qualname}", hint=hint)
    return found


def check_makeable(kind: type) -> None:
    """Complain of a class that nobody can make an object of."""
    if getattr(kind, "_is_protocol", False):
        raise HarnessError(
            f"{kind.__qualname__} is a protocol, of which there are no objects", hint=_derived(kind)
        )
    if inspect.isabstract(kind):
        missing = ", ".join(sorted(getattr(kind, "__abstractmethods__", ())))
        raise HarnessError(f"{kind.__qualname__} is abstract: it lacks {missing}", hint=_derived(kind))


def _derived(kind: type) -> str:
    derived: list[type] = kind.__subclasses__()
    names = [each.__qualname__ for each in derived if not inspect.isabstract(each)]
    return (
        f"name one that is derived from it, such as {names[0]}"
        if names
        else "name a class that is derived from it"
    )
