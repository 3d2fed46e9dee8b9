"""Finding and importing the code that a proof is about."""

import importlib
import sys
import types
from dataclasses import dataclass
from pathlib import Path

from racehound.errors import HarnessError


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
    return ModuleName(".".join(parts), directory)


def import_target(name: ModuleName) -> types.ModuleType:
    """The module, imported with its root first on the path."""
    sys.path.insert(0, str(name.root))
    try:
        return importlib.import_module(name.name)
    except SystemExit as error:
        raise HarnessError(f"importing {name.name} exits with status {error.code}") from error
    except Exception as error:
        raise HarnessError(f"{name.name} cannot be imported: {type(error).__name__}: {error}") from error


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
