"""Whose code a file is: the program's own, which is observed, or a library's, which is not."""

import site
import sysconfig
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

from racehound.instrument.nearby import imported_from, is_large


@cache
def library_roots() -> tuple[Path, ...]:
    """Where the standard library and installed packages live."""
    paths = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *site.getsitepackages()]
    return tuple(Path(path).resolve() for path in paths)


def is_library(path: Path) -> bool:
    """Whether a resolved path is that of an installed package or of the standard library."""
    if "site-packages" in path.parts or "dist-packages" in path.parts:
        return True
    return any(path.is_relative_to(root) for root in library_roots())


class Territory:
    """The files that are observed: those of a program, one installed package, or `only` some files of it."""

    def __init__(self, roots: Sequence[Path], *, only: Collection[Path] | None = None) -> None:
        self._roots = [root.resolve() for root in roots]
        self._only = only

    def __contains__(self, path: Path) -> bool:
        resolved = path.resolve()
        if self._only is not None:
            return resolved in self._only
        for root in self._roots:
            if resolved == root or (
                resolved.is_relative_to(root) and (is_library(root) or not is_library(resolved))
            ):
                return True
        return False


def _is_filled_by_installer(root: Path) -> bool:
    """Whether packages were installed there side by side, as `pip install --target` does."""
    return any(root.glob("*.dist-info"))


def territory_of(path: Path, root: Path) -> Territory:
    """The territory of a file that is imported from `root`.

    An installed module is observed with its package alone, and if that is large, with what it needs of it; of a
    program everything below its root is, but not the libraries that happen to be installed there.
    """
    resolved = path.resolve()
    if not is_library(resolved) and not _is_filled_by_installer(root):
        return Territory([root])
    package = root.resolve() / resolved.relative_to(root.resolve()).parts[0]
    return Territory([package], only=imported_from(resolved, package) if is_large(package) else None)
