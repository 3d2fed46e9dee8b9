"""Where git keeps what it ignores: beside the files, in the repository, and in the settings of the user."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from racehound.source.ignorefile import IgnoreFile

NAMES = (".gitignore", ".ignore")
"""In the order of their say: the later one overrides the earlier one."""
_EXCLUDES_FILE = re.compile(r"^\s*excludesfile\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def repository_of(directory: str) -> str | None:
    """The nearest directory, this or above, that a repository is kept in."""
    current = Path(directory)
    for candidate in (current, *current.parents):
        if os.path.exists(candidate / ".git"):  # noqa: PTH110 - false, where `Path` raises, for what cannot be reached
            return str(candidate)
    return None


def beside(directory: str) -> list[IgnoreFile]:
    """What the ignore files of one directory say."""
    found = (IgnoreFile.read(f"{directory}/{name}", directory) for name in NAMES)
    return [item for item in found if item is not None]


def above(directory: str) -> list[IgnoreFile]:
    """What is said for a directory from outside of it: by the user, the repository, the directories above."""
    repository = repository_of(directory)
    top = Path(repository or _outermost(directory))
    between = [parent for parent in reversed(Path(directory).parents) if parent == top or top in parent.parents]
    files = [_of_user(str(top)), *([] if repository is None else [_of_repository(repository)])]
    return [*(item for item in files if item), *(item for parent in between for item in beside(str(parent)))]


def consulted(paths: Iterable[str], visited: Iterable[str]) -> list[str]:
    """Every file that may have a say about what git ignores, be it there or not."""
    parents = {parent for path in paths for parent in Path(os.path.realpath(path)).parents}
    beside_them = [f"{directory}/{name}" for directory in (*visited, *sorted(map(str, parents))) for name in NAMES]
    in_them = [f"{parent}/.git/info/exclude" for parent in sorted(map(str, parents))]
    settings, chosen = _user_files()
    return [*beside_them, *in_them, *map(str, settings), chosen]


def _outermost(directory: str) -> str:
    """Without a repository, nothing above the current directory is asked."""
    here = Path.cwd()
    return str(here if here in Path(directory).parents else directory)


def _of_repository(repository: str) -> IgnoreFile | None:
    return IgnoreFile.read(f"{repository}/.git/info/exclude", repository)


def _of_user(base: str) -> IgnoreFile | None:
    return IgnoreFile.read(_user_files()[1], base)


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
