"""Where git keeps what it ignores: beside the files, in the repository, and in the settings of the user."""

import os
import re
from pathlib import Path

from racehound.source.ignorefile import IgnoreFile

NAMES = (".gitignore", ".ignore")
"""In the order of their say: the later one overrides the earlier one."""
_EXCLUDES_FILE = re.compile(r"^\s*excludesfile\s*=\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)


def repository_of(directory: str) -> str | None:
    """The nearest directory, this or above, that a repository is kept in."""
    current = Path(directory)
    for candidate in (current, *current.parents):
        if (candidate / ".git").exists():
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


def _outermost(directory: str) -> str:
    """Without a repository, nothing above the current directory is asked."""
    here = Path.cwd()
    return str(here if here in Path(directory).parents else directory)


def _of_repository(repository: str) -> IgnoreFile | None:
    return IgnoreFile.read(f"{repository}/.git/info/exclude", repository)


def _of_user(base: str) -> IgnoreFile | None:
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser(), "git")
    chosen = _excludes_file(Path("~/.gitconfig").expanduser()) or _excludes_file(settings / "config")
    return IgnoreFile.read(chosen or str(settings / "ignore"), base)


def _excludes_file(settings: Path) -> str | None:
    try:
        found = _EXCLUDES_FILE.findall(settings.read_text("utf-8", "replace"))
    except OSError:
        return None
    return str(Path(found[-1].strip('"')).expanduser()) if found else None
