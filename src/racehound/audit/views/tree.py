"""The state of a directory tree, by content."""

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from racehound.audit.views.formats import file_entries
from racehound.audit.views.git_history import STASHES, is_repository
from racehound.audit.views.sqlite_rows import COMPANIONS
from racehound.errors import HarnessError
from racehound.processes.attributes import attributes

NOT_STATE = frozenset({"__pycache__"})
"""Made anew from the source whenever it is missing."""
GIT_GARBAGE = frozenset({"objects", "logs", "COMMIT_EDITMSG"})
"""Objects count by the refs and the index that lead to them; a refused call may leave some that nothing needs,
and the message that it was given."""

USUAL_MODES = frozenset({0o644, 0o600, 0o664, 0o640})


def tree_entries(
    root: Path,
    folders: Iterable[str],
    *,
    locks: frozenset[str] = frozenset(),
    skipped: frozenset[str] = frozenset(),
) -> dict[str, str]:
    """All that the files below the folders say.

    `locks` are files that exist to be locked: what they hold is about their holders and differs with each call.
    What is directly in a folder under a name that is `skipped` does not count.
    """
    found: Counter[str] = Counter()
    entries: dict[str, str] = {}
    try:
        for name, value in _all_entries(root, folders, locks, skipped):
            found[name] += 1
            entries[name if found[name] == 1 else f"{name} #{found[name]}"] = value
    except RecursionError as error:
        raise _too_deep() from error
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise _too_deep() from error
    return entries


def _too_deep() -> HarnessError:
    return HarnessError(
        "the commands leave directories that are deeper than any path",
        hint="name with --view CMD what prints the state that counts",
    )


def _all_entries(
    root: Path, folders: Iterable[str], locks: frozenset[str], skipped: frozenset[str]
) -> Iterator[tuple[str, str]]:
    for folder in folders:
        for path in _walk(root / folder, NOT_STATE | skipped):
            name = path.relative_to(root).as_posix()
            yield from _file(path, name, is_lock=name in locks)


def _walk(folder: Path, skipped: frozenset[str] = NOT_STATE) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for item in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = Path(item.path)
        if item.name in skipped or (is_repository(folder) and item.name in GIT_GARBAGE) or _is_companion(path):
            continue
        yield path
        if item.is_dir(follow_symlinks=False):
            yield from _walk(path)
    if is_repository(folder) and (folder / STASHES).is_file():
        yield folder / STASHES


def _is_companion(path: Path) -> bool:
    return any(
        path.name.endswith(suffix) and path.with_name(path.name.removesuffix(suffix)).is_file()
        for suffix in COMPANIONS
    )


def _file(path: Path, name: str, *, is_lock: bool) -> Iterator[tuple[str, str]]:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        yield name, f"→ {path.readlink()}"
        return
    yield from ((f"{name}: attribute {key}", repr(value)) for key, value in attributes(path).items())
    if not stat.S_ISREG(status.st_mode):
        yield f"{name}/" if stat.S_ISDIR(status.st_mode) else f"{name} (special)", ""
        return
    mode = stat.S_IMODE(status.st_mode)
    yield name, "" if mode in USUAL_MODES else f"mode {mode:o}"
    if not is_lock:
        yield from ((f"{name}: {entry}", value) for entry, value in file_entries(path))
