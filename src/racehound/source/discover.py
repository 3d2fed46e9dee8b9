"""From the paths a person names to the files worth reading."""

import glob
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from racehound.errors import UsageError
from racehound.source.gitfiles import KEPT, NAMES, Rules, above
from racehound.source.globs import spelled_out
from racehound.source.ignorefile import IgnoreFile

DEFAULT_EXCLUDES = (
    *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".hypothesis", ".idea", ".ipynb_checkpoints"),
    *(".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".racehound_cache", ".ruff_cache"),
    *(".svn", ".tox", ".venv", ".vscode", "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist"),
    *("node_modules", "site-packages", "venv"),
)
"""What is never worth reading unless it is named."""

SUFFIXES = (".py", ".pyw", ".ipynb")
ENVIRONMENT = "pyvenv.cfg"
"""The file that marks a virtual environment, whatever its directory is called."""
Name = TypeVar("Name", str, Path)
HINT = "name a Python file or a directory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which of the files below a path are left out."""

    exclude: tuple[str, ...] = DEFAULT_EXCLUDES
    """Patterns as in `.gitignore`; those with a slash are relative to `root`."""
    root: str = ""
    """The directory of the settings; the current one where there are none."""
    force_exclude: bool = False
    """Leave out also what is named, where a pattern fits it."""
    respect_gitignore: bool = True


def discover(
    paths: Sequence[str | Path], selection: Selection | None = None, visited: list[str] | None = None
) -> tuple[Path, ...]:
    """Every Python file below `paths`, each once, in a fixed order; a file that is named is taken as it is.

    The directories that were searched are added to `visited`.
    """
    search = _Search(selection or Selection(), [] if visited is None else visited)
    found: dict[str, str] = {}
    for path in expanded(paths):
        for real, file in search.files(path):
            found[real] = file if real not in found else _better(found[real], file, real)
    return tuple(map(Path, sorted(found.values(), key=lambda file: file.replace(os.sep, "/"))))


def is_excluded(path: str, selection: Selection) -> bool:
    """True for a path, be there a file or not, that is left out although it is named."""
    return selection.force_exclude and _Search(selection, []).leaves_out(
        os.path.realpath(path), is_directory=False
    )


def _better(known: str, other: str, real: str) -> str:
    """Of two names for one file the one that is no link, in whatever order they come."""
    return min(known, other, key=lambda name: (os.path.abspath(name) != real, name))  # noqa: PTH100 - links stay links


def complaints(paths: Iterable[Name]) -> dict[Name, UsageError]:
    """The paths that `discover` would complain of, each with its complaint."""
    judged = ((path, next(filter(None, map(_complaint, expanded([path]))), None)) for path in paths)
    return {path: complaint for path, complaint in judged if complaint}


def expanded(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The paths, and the files that a pattern means which the shell has left as it is."""
    for path in map(Path, paths):
        text = str(path)
        is_pattern = glob.has_magic(text) and not os.path.exists(text)  # noqa: PTH110 - does not raise
        matches = sorted(glob.iglob(text, recursive=True)) if is_pattern else []  # noqa: PTH207 - takes absolute ones
        yield from map(Path, matches or [text])


def _complaint(path: Path) -> UsageError | None:
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return UsageError(f"no such file or directory: {path}", hint=HINT)
    except OSError as error:
        return UsageError(f"{str(path)[:60]} cannot be read: {error.strerror}", hint=HINT)
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    return UsageError(f"{path} is neither a regular file nor a directory", hint=HINT)


class _Folder(NamedTuple):
    """A directory on the way; text, because a `Path` for each entry would cost more than all the rest."""

    real: str
    named: str
    rules: Rules
    """What is said of its entries by others than itself."""

    def path(self, name: str) -> str:
        return f"{self.real.rstrip('/')}/{name}"

    def name(self, name: str) -> str:
        return name if self.named == "." else f"{self.named.rstrip('/')}/{name}"


class _Search:
    def __init__(self, selection: Selection, visited: list[str]) -> None:
        self._selection = selection
        self._visited = visited
        self._root = os.path.realpath(selection.root or ".")
        patterns = [found for pattern in selection.exclude for found in spelled_out(pattern, self._root)]
        self._excluded = IgnoreFile(self._root, patterns)
        self._anywhere = IgnoreFile("", [pattern for pattern in patterns if "/" not in pattern.rstrip("/")])

    def files(self, path: Path) -> Iterator[tuple[str, str]]:
        """Each file by its real path, which tells it apart, and by the path that names it."""
        if complaint := _complaint(path):
            raise complaint
        real = os.path.realpath(path)
        if self._selection.force_exclude and self.leaves_out(real, is_directory=path.is_dir()):
            return
        if path.is_dir():
            yield from self._below(real, str(path))
        else:
            yield real, str(path)

    def leaves_out(self, real: str, *, is_directory: bool) -> bool:
        """A path that is named, or one of the directories around it within the root, fits a pattern."""
        parts = Path(real).parts
        start = len(Path(self._root).parts) if self._is_inside(real) else len(parts) - 1
        steps = [str(Path(*parts[: end + 1])) for end in range(start, len(parts))]
        return any(self._is_excluded(step, is_directory=is_directory or step != real) for step in steps)

    def _is_inside(self, real: str) -> bool:
        return real.startswith(self._root.rstrip("/") + "/")

    def _is_excluded(self, real: str, *, is_directory: bool) -> bool:
        rules = self._excluded if self._is_inside(real) else self._anywhere
        return bool(rules.excludes(real, real.rpartition("/")[2], is_directory=is_directory))

    def _below(self, real: str, named: str) -> Iterator[tuple[str, str]]:
        pending = [_Folder(real, named, above(real) if self._selection.respect_gitignore else Rules())]
        while pending:
            folder = pending.pop()
            self._visited.append(folder.real)
            try:
                with os.scandir(folder.named) as found:  # which may be open where something above it is closed
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError:
                yield folder.real, folder.named  # for the reader to complain of
                continue
            respected = (KEPT, *NAMES) if self._selection.respect_gitignore else ()
            has_own = any(entry.name in respected for entry in entries)
            rules = folder.rules.within(folder.real) if has_own else folder.rules
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending += self._folder(folder, entry.name, rules)
                elif _is_python(entry):
                    yield from self._file(folder, entry, rules)

    def _folder(self, outer: "_Folder", name: str, rules: Rules) -> "Iterator[_Folder]":
        inner = outer.path(name)
        if not self._is_left_out(inner, name, rules, is_directory=True):
            yield _Folder(inner, outer.name(name), rules)

    def _file(self, folder: "_Folder", entry: "os.DirEntry[str]", rules: Rules) -> Iterator[tuple[str, str]]:
        real = folder.path(entry.name)
        if not self._is_left_out(real, entry.name, rules, is_directory=False):
            yield os.path.realpath(real) if entry.is_symlink() else real, folder.name(entry.name)

    def _is_left_out(self, real: str, name: str, rules: Rules, *, is_directory: bool) -> bool:
        if self._is_excluded(real, is_directory=is_directory):
            return True
        said = rules.excludes(real, name, is_directory=is_directory)
        if said is not None:
            return said
        return is_directory and os.path.isfile(f"{real}/{ENVIRONMENT}")  # noqa: PTH113 - does not raise


def _is_python(entry: "os.DirEntry[str]") -> bool:
    """By its suffix, or by its first line; a pipe would be waited for."""
    suffixed = entry.name.endswith(SUFFIXES)
    if not suffixed and "." in entry.name:
        return False
    try:
        is_file = entry.is_file()
    except OSError:  # links in a circle
        return suffixed
    if suffixed:
        # A link to nothing is for the reader to complain of.
        return is_file or (entry.is_symlink() and not os.path.exists(entry.path))  # noqa: PTH110 - does not raise
    return is_file and _has_shebang(entry.path)


def _has_shebang(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            first = file.readline(128)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first
