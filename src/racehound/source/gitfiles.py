"""Where git keeps what it ignores: beside the files, in the repository, and in the settings of the user."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from racehound.source.ignorefile import IgnoreFile

NAMES = (".gitignore", ".ignore")
KEPT = ".git"
_EXCLUDES_FILE = re.compile(r"^\s*excludesfile\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def repository_of(directory: str) -> str | None:
    """The nearest directory, this or above, that a repository is kept in."""
    current = Path(directory)
    for candidate in (current, *current.parents):
        if os.path.exists(candidate / KEPT):  # noqa: PTH110 - false, where `Path` raises, for what cannot be reached
            return str(candidate)
    return None


class Rules(NamedTuple):
    """What is said of the entries of a directory; the later overrides the earlier, and `other` all of `git`."""

    user: tuple[IgnoreFile, ...] = ()
    git: tuple[IgnoreFile, ...] = ()
    """Of one repository: what is kept inside another one says itself what it ignores."""
    other: tuple[IgnoreFile, ...] = ()
    """The files `.ignore`, which are for the tools that search."""

    def within(self, directory: str) -> "Rules":
        """With what the files of a directory add, or its repository instead of the one around it."""
        git, other = (_read(f"{directory}/{name}", directory) for name in NAMES)
        if os.path.exists(f"{directory}/{KEPT}"):  # noqa: PTH110 - does not raise
            return Rules(self.user, (*_of_repository(directory), *git), (*self.other, *other))
        return Rules(self.user, (*self.git, *git), (*self.other, *other))

    def excludes(self, path: str, name: str, *, is_directory: bool) -> bool | None:
        """None where nothing is said."""
        for file in (*reversed(self.other), *reversed(self.git), *reversed(self.user)):
            said = file.excludes(path, name, is_directory=is_directory)
            if said is not None:
                return said
        return None


def above(directory: str) -> Rules:
    """What is said for a directory from outside of it: by the user, the repository, the directories above."""
    repository = repository_of(directory)
    top = Path(repository or _outermost(directory))
    rules = Rules(_read(_user_files()[1], str(top)))
    for parent in reversed(Path(directory).parents):
        if parent == top or top in parent.parents:
            rules = rules.within(str(parent))
    return rules


def consulted(paths: Iterable[str], visited: Iterable[str]) -> list[str]:
    """Every file that may have a say about what git ignores, be it there or not."""
    parents = {parent for path in paths for parent in Path(os.path.realpath(path)).parents}
    beside_them = [f"{directory}/{name}" for directory in (*visited, *sorted(map(str, parents))) for name in NAMES]
    inner = [place for place in visited if os.path.exists(f"{place}/{KEPT}")]  # noqa: PTH110 - does not raise
    in_them = [f"{_common_directory(place)}/info/exclude" for place in (*inner, *sorted(map(str, parents)))]
    settings, chosen = _user_files()
    return [*beside_them, *in_them, *map(str, settings), chosen]


def _outermost(directory: str) -> str:
    """Without a repository, nothing above the current directory is asked."""
    here = Path.cwd()
    return str(here if here in Path(directory).parents else directory)


def _of_repository(repository: str) -> tuple[IgnoreFile, ...]:
    return _read(f"{_common_directory(repository)}/info/exclude", repository)


def _common_directory(repository: str) -> Path:
    """Where git keeps what its work trees share; the file `.git` of a work tree leads there."""
    kept = Path(repository, KEPT)
    try:
        kept = Path(repository, kept.read_text("utf-8", "replace").removeprefix("gitdir:").strip())
        return kept / (kept / "commondir").read_text("utf-8", "replace").strip()
    except OSError:  # a directory, as most often, or a submodule
        return kept


def _read(path: str, base: str) -> tuple[IgnoreFile, ...]:
    found = IgnoreFile.read(path, base)
    return () if found is None else (found,)


def _user_files() -> tuple[tuple[Path, Path], str]:
    """The settings of the user, and the ignore file that they name."""
    directory = Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser(), "git")
    settings = (Path("~/.gitconfig").expanduser(), directory / "config")
    return settings, _excludes_file(settings[0]) or _excludes_file(settings[1]) or str(directory / "ignore")


def _excludes_file(settings: Path) -> str | None:
    try:
        found = _EXCLUDES_FILE.findall(settings.read_text("utf-8", "replace"))
    except OSError:
        return None
    return str(Path(found[-1].strip('"')).expanduser()) if found else None
