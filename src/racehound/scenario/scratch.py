"""Files below the scratch directory of a proof: part of the state, put back before each execution.

The directory is known by the variable that names it; without one, as in a test of the user's own, nothing is
looked at and nothing is put back.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Final

from racehound.instrument.elsewhere import VARIABLE

LARGE: Final = 1 << 20
MANY: Final = 500


class Scratch:
    """What the directory held when it was made."""

    def __init__(self) -> None:
        name = os.environ.get(VARIABLE)
        self._root = Path(name) if name else None
        self._content = dict(self._files())
        self._here = _working_directory()

    def files(self) -> dict[str, str]:
        """What each file holds now, by its path below the directory."""
        return {str(path.relative_to(self._root or path)): repr(content) for path, content in self._files()}

    def restore(self) -> None:
        """Go back to where it was, put back what was there, and number temporary files from one on again."""
        if self._here is not None and _working_directory() != self._here:
            os.chdir(self._here)
        if self._root is None:
            return
        tempfile._name_sequence = Names()  # type: ignore[attr-defined]  # noqa: SLF001 - the names it takes next
        for path in sorted(self._root.iterdir()):
            if path not in self._content or path.is_symlink():  # which would lead what is written elsewhere
                rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for path, content in self._content.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def _files(self) -> Iterator[tuple[Path, bytes]]:
        if self._root is None:
            return
        found = (path for path in sorted(self._root.rglob("*")) if path.is_file() and not path.is_symlink())
        for path, _ in zip(found, range(MANY), strict=False):
            if path.stat().st_size <= LARGE:
                yield path, path.read_bytes()


def _working_directory() -> str | None:
    """None if it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109 - no object is needed
    except OSError:
        return None


class Names:
    """Names for temporary files that are the same in every execution."""

    def __init__(self) -> None:
        self._last = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self._last += 1
        return f"{self._last:08}"
